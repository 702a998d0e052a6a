import { isSecret } from '../record/to-record-body.ts';
import type { Attribute } from './attributes.ts';
import type { FieldDefinition } from './entity-definition.ts';
import type { EntityModel, FindModel } from './entity-model.ts';
import { badField } from './read-field-definition.ts';

/**
 * A field that shows one of the record at the other side of a link: `{"type": "foreign", "link": "account", "field":
 * "type"}`. Who reads it needs the right to read there. Users are left out: who may see what of them depends on more.
 */
export function readForeignField(
  body: Readonly<Record<string, unknown>>,
  model: EntityModel,
  findModel: FindModel,
): FieldDefinition {
  const { link, field, label } = body;
  const held = typeof link === 'string' ? model.fields.get(link) : undefined;
  const target = held?.type === 'link' ? findModel(held.entityType ?? '') : undefined;
  if (typeof link !== 'string' || target?.definition.log !== 'records') {
    throw badField("'link' has to name a link to one record, and not to a user or team.");
  }
  const shown = typeof field === 'string' ? target.attribute.get(field) : undefined;
  const attributeKind = shown && shownKind(target, shown);
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

function shownKind(target: EntityModel, shown: Attribute): FieldDefinition['attributeKind'] {
  const { kind, stored } = shown;
  if (!stored || isSecret(target, shown) || kind === 'json' || kind === 'strings') return undefined;
  return kind;
}
