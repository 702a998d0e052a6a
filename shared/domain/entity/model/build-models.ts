import type { FieldDefinition } from '../../field/field-types.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { buildEntityModel, type EntityModel, type FindModel } from './entity-model.ts';
import { fileFieldsOf } from './file-field.ts';

/** Builds the models of all entity types, by name. */
export function buildModels(
  definitions: readonly EntityDefinition[],
): ReadonlyMap<string, EntityModel> {
  const models = new Map(
    definitions.map((definition) => [definition.name, buildEntityModel(definition)]),
  );
  for (const model of models.values()) {
    models.set(
      model.name,
      withForeignSources(model, (name) => models.get(name)),
    );
  }
  // These definitions list the entity types that have a stream or files, so they are extended last.
  for (const model of models.values()) {
    const { isPost, isFile } = model.definition;
    if (isPost === true) models.set(model.name, withStreamParents(model, models.values()));
    if (isFile === true) models.set(model.name, withFileHolders(model, models.values()));
  }
  return models;
}

/** Adds every entity type with a stream, including custom types, to the allowed parents of notes. */
function withStreamParents(note: EntityModel, models: Iterable<EntityModel>): EntityModel {
  const withStream = [...models].filter(({ definition }) => definition.hasStream === true);
  return withTypes(note, ['parent'], withStream);
}

/** Adds every entity type with a file field, including custom types, to the types for which files can be uploaded. */
function withFileHolders(attachment: EntityModel, models: Iterable<EntityModel>): EntityModel {
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

/** Drops foreign fields whose link, or whose field on the other side, no longer exists. */
function withForeignSources(model: EntityModel, findModel: FindModel): EntityModel {
  const { definition } = model;
  const all = Object.entries(definition.fields);
  const fields = all.filter(
    ([, field]) => field.link === undefined || hasSource(model, field, findModel),
  );
  if (fields.length === all.length) return model;
  return buildEntityModel({ ...definition, fields: Object.fromEntries(fields) });
}

function hasSource(model: EntityModel, field: FieldDefinition, findModel: FindModel): boolean {
  const { link = '', entityType = '', attribute = '' } = field;
  const isLinked = model.attribute.get(`${link}Id`)?.stored === true;
  return isLinked && findModel(entityType)?.attribute.get(attribute)?.stored === true;
}
