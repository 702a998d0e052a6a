import type { FieldDefinition } from '../../field/field-definition.ts';
import { buildEntityModel, type EntityModel, type FindModel } from './entity-model.ts';

/** Drops foreign fields whose link, or whose field at the other side of it, no longer exists. */
export function withForeignSources(model: EntityModel, findModel: FindModel): EntityModel {
  const { definition } = model;
  const dangling = Object.entries(definition.fields).filter(
    ([, field]) => field.link !== undefined && !hasSource(model, field, findModel),
  );
  if (dangling.length === 0) return model;
  const gone = new Set(dangling.map(([name]) => name));
  const fields = Object.entries(definition.fields).filter(([name]) => !gone.has(name));
  return buildEntityModel({ ...definition, fields: Object.fromEntries(fields) });
}

function hasSource(model: EntityModel, field: FieldDefinition, findModel: FindModel): boolean {
  const { link = '', entityType = '', attribute = '' } = field;
  const isLinked = model.attribute.get(`${link}Id`)?.stored === true;
  return isLinked && findModel(entityType)?.attribute.get(attribute)?.stored === true;
}
