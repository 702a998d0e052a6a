import { buildEntityModel, type EntityModel } from './entity-model.ts';
import { fileFieldsOf } from './file-field.ts';

/** Adds every entity type with a stream, custom ones included, to the parents that notes may have. */
export function withStreamParents(note: EntityModel, models: Iterable<EntityModel>): EntityModel {
  const withStream = [...models].filter(({ definition }) => definition.hasStream === true);
  return withTypes(note, ['parent'], withStream);
}

/** Adds every entity type with a field for files, custom ones included, to those that files can be uploaded for. */
export function withFileHolders(
  attachment: EntityModel,
  models: Iterable<EntityModel>,
): EntityModel {
  const withFiles = [...models].filter((model) => fileFieldsOf(model).length > 0);
  return withTypes(attachment, ['related', 'parent'], withFiles);
}

/** The model whose links to parents lead to these types. */
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
