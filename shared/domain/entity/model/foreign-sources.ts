import type { FieldDefinition } from '../../field/field-definition.ts';
import { buildEntityModel, type EntityModel, type FindModel } from './entity-model.ts';

/** Drops foreign fields whose link, or whose field on the other side, no longer exists. */
export function withForeignSources(model: EntityModel, findModel: FindModel): EntityModel {
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
