import { buildEntityModel, type EntityModel } from './entity-model.ts';

/** Adds every entity type with a stream, custom ones included, to the parents that notes may have. */
export function withStreamParents(note: EntityModel, models: Iterable<EntityModel>): EntityModel {
  const { definition } = note;
  const parent = definition.fields['parent'];
  if (parent?.entityList === undefined) return note;
  const entityList = [...models]
    .filter((model) => model.definition.hasStream === true)
    .map(({ name }) => name);
  return buildEntityModel({
    ...definition,
    fields: { ...definition.fields, parent: { ...parent, entityList } },
  });
}
