import { type EntityModel, systemAttributes } from '../entity/model/entity-model.ts';
import type { Attribute } from '../field/attribute.ts';
import { isCounted } from '../field/format-number.ts';
import { emptyValue } from '../record/to-record-body.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';

/**
 * The values of a new record that its creator does not give: every attribute of its own, null included. Bools are false
 * and lists empty unless a default says otherwise, even those without a column. Values that Annals counts or stamps
 * (numbers, times, versions) and values from the other side of a link are absent.
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
  // A default of null is the same as no default.
  return chosen ?? emptyValue(attribute);
}
