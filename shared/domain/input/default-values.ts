import { type EntityModel, systemAttributes } from '../entity/model/entity-model.ts';
import type { Attribute } from '../field/attribute.ts';
import { isCounted } from '../field/format-number.ts';
import { emptyValue } from '../record/to-record-body.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';

/**
 * Returns the values of a new record that its creator does not set: all of the record's attributes, including nulls. Without
 * a default, bools are false and lists empty, even without a column. Values that Annals assigns (numbers, times,
 * versions) and values from the other side of links are absent.
 */
export function defaultValues(model: EntityModel): AttributeValues {
  return Object.fromEntries(
    model.attributes
      .filter((attribute) => belongsToRecord(model, attribute))
      .map((attribute) => [attribute.name, defaultValue(model, attribute)]),
  );
}

function belongsToRecord(model: EntityModel, { name, field, through }: Attribute): boolean {
  return (
    through === undefined && !systemAttributes.has(name) && !isCounted(model.fields.get(field))
  );
}

function defaultValue(model: EntityModel, attribute: Attribute): AttributeValue {
  const { name, field } = attribute;
  const chosen = name === field ? model.fields.get(field)?.default : undefined;
  // A null default means that the field has no default.
  return chosen ?? emptyValue(attribute);
}
