import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { textFilterFields } from '../../domain/entity/model/text-filter-fields.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';

/**
 * Returns the attributes whose beginning a text search compares: names and addresses, but not long texts and numbers.
 */
export function searchedAttributes(model: EntityModel): readonly Attribute[] {
  return textFilterFields(model).flatMap((name) => {
    const attribute = model.attribute.get(name);
    if (attribute?.stored !== true || attribute.kind !== 'string') return [];
    const field = model.fields.get(attribute.field);
    const { search = 'beginning' } = field === undefined ? {} : fieldTypeOf(field);
    return search === 'beginning' ? [attribute] : [];
  });
}
