import type { Attribute } from '../domain/entity/attributes.ts';
import type { FieldType } from '../domain/entity/entity-definition.ts';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import { textFilterFields } from '../domain/entity/text-filter-fields.ts';

/** The attributes that a search by text finds by their beginning: names and addresses, no long texts and no numbers. */
export function searchedAttributes(model: EntityModel): readonly Attribute[] {
  return textFilterFields(model).flatMap((name) => {
    const attribute = model.attribute.get(name);
    if (attribute?.stored !== true || attribute.kind !== 'string') return [];
    const type = model.fields.get(attribute.field)?.type;
    return type !== undefined && searchedOtherwise.has(type) ? [] : [attribute];
  });
}

const searchedOtherwise: ReadonlySet<FieldType> = new Set(['text', 'wysiwyg', 'phone']);
