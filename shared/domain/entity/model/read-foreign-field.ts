import type { Attribute } from '../../field/attribute.ts';
import { badField } from '../../field/definition/read-field-settings.ts';
import { type FieldDefinition, fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel, FindModel } from './entity-model.ts';

/**
 * Reads a field that shows a field of a linked record: `{"type": "foreign", "link": "account", "field": "type"}`.
 * Seeing the value requires read access to the linked record. Links to users are not supported, because the visibility
 * of users does not depend on roles alone.
 */
export function readForeignField(
  body: Readonly<Record<string, unknown>>,
  model: EntityModel,
  findModel: FindModel,
): FieldDefinition {
  const { link, field, label } = body;
  const target = typeof link === 'string' ? linkedModel(model, link, findModel) : undefined;
  if (typeof link !== 'string' || target?.definition.log !== 'records') {
    throw badField("'link' must name a link to a single record other than a user or team.");
  }
  const shown = typeof field === 'string' ? target.attribute.get(field) : undefined;
  const attributeKind = shown && shownKind(shown);
  if (shown === undefined || attributeKind === undefined) {
    throw badField(`'field' must name a single-valued field of ${target.name}.`);
  }
  if (label !== undefined && label !== null && typeof label !== 'string') {
    throw badField("'label' must be a string.");
  }
  return {
    type: 'foreign',
    link,
    entityType: target.name,
    attribute: shown.name,
    attributeKind,
    readOnly: true,
    ...(typeof label === 'string' ? { label: label.slice(0, 250) } : {}),
    isCustom: true,
  };
}

function linkedModel(
  { fields }: EntityModel,
  link: string,
  findModel: FindModel,
): EntityModel | undefined {
  const held = fields.get(link);
  const isToOne = held !== undefined && fieldTypeOf(held).relation === 'belongsTo';
  return isToOne ? findModel(held.entityType ?? '') : undefined;
}

function shownKind(shown: Attribute): FieldDefinition['attributeKind'] {
  const { kind, stored, isSecret } = shown;
  if (!stored || isSecret || kind === 'json' || kind === 'strings') return undefined;
  return kind;
}
