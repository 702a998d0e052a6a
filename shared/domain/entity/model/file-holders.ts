import { buildEntityModel, type EntityModel } from './entity-model.ts';
import { fileFieldsOf } from './file-field.ts';

/** Adds every entity type with a field for files, custom ones included, to those that files can be uploaded for. */
export function withFileHolders(
  attachment: EntityModel,
  models: Iterable<EntityModel>,
): EntityModel {
  const { definition } = attachment;
  const entityList = [...models]
    .filter((model) => fileFieldsOf(model).length > 0)
    .map(({ name }) => name);
  const holders = (['related', 'parent'] as const).flatMap((name) => {
    const field = definition.fields[name];
    return field?.entityList === undefined ? [] : [[name, { ...field, entityList }] as const];
  });
  return buildEntityModel({
    ...definition,
    fields: { ...definition.fields, ...Object.fromEntries(holders) },
  });
}
