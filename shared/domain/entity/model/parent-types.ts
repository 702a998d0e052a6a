import { buildEntityModel, type EntityModel } from './entity-model.ts';
import { fileFieldsOf } from './file-field.ts';

/** Adds every entity type with a stream, including custom ones, to the allowed parents of notes. */
export function withStreamParents(note: EntityModel, models: Iterable<EntityModel>): EntityModel {
  const withStream = [...models].filter(({ definition }) => definition.hasStream === true);
  return withTypes(note, ['parent'], withStream);
}

/** Adds every entity type with a file field, including custom ones, to the types for which files can be uploaded. */
export function withFileHolders(
  attachment: EntityModel,
  models: Iterable<EntityModel>,
): EntityModel {
  const withFiles = [...models].filter((model) => fileFieldsOf(model).length > 0);
  return withTypes(attachment, ['related', 'parent'], withFiles);
}

/** Returns the model with the allowed types of its parent links replaced. */
function withTypes(
  { definition }: EntityModel,
  links: readonly string[],
  types: readonly EntityModel[],
): EntityModel {
  const entityList = types.map(({ name }) => name);
  const changed = links.flatMap((name) => {
    const field = definition.fields[name];
    return field?.entityList === undefined ? [] : [[name, { ...field, entityList }] as const];
  });
  const fields = { ...definition.fields, ...Object.fromEntries(changed) };
  return buildEntityModel({ ...definition, fields });
}
