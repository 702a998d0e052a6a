import type { Attribute } from '../../field/attribute.ts';
import { badField } from '../../field/definition/read-field-settings.ts';
import type { FieldDefinition } from '../../field/field-definition.ts';
import { fieldTypeOf } from '../../field/field-types.ts';
import type { EntityModel, FindModel } from './entity-model.ts';

/**
 * A field that shows a field of the record at the other side of a link: `{"type": "foreign", "link": "account",
 * "field": "type"}`. Reading it takes the right to read there. Users are not supported: what of them may be seen
 * depends on more than roles.
 */
export function readForeignField(
  body: Readonly<Record<string, unknown>>,
  model: EntityModel,
  findModel: FindModel,
): FieldDefinition {
  const { link, field, label } = body;
  const target = typeof link === 'string' ? linkedModel(model, link, findModel) : undefined;
  if (typeof link !== 'string' || target?.definition.log !== 'records') {
    throw badField("'link' has to name a link to one record, and not to a user or team.");
  }
  const shown = typeof field === 'string' ? target.attribute.get(field) : undefined;
  const attributeKind = shown && shownKind(shown);
  if (shown === undefined || attributeKind === undefined) {
    throw badField(`'field' has to name a field of ${target.name} that has one value.`);
  }
  if (label !== undefined && label !== null && typeof label !== 'string') {
    throw badField("'label' has to be a text.");
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
