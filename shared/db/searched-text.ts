import type { Attribute } from '../domain/entity/attributes.ts';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import { textFilterFields } from '../domain/entity/text-filter-fields.ts';
import { quotedColumn } from './read-model-names.ts';

/** The attributes that a search by text finds by their beginning: names and addresses, no long texts and no numbers. */
export function searchedAttributes(model: EntityModel): readonly Attribute[] {
  return textFilterFields(model).flatMap((name) => {
    const attribute = model.attribute.get(name);
    if (attribute?.stored !== true || attribute.kind !== 'string') return [];
    const type = model.fields.get(attribute.field)?.type;
    return type === 'text' || type === 'phone' ? [] : [attribute];
  });
}

/**
 * SQL of all of them in one text, in lower case: what one of them contains, this contains. One index of it costs half of
 * what an index of each would. `prefix` is empty or an alias with its dot. Undefined if there are none.
 */
export function searchedText(model: EntityModel, prefix: string): string | undefined {
  const texts = searchedAttributes(model).map(
    (attribute) => `coalesce(lower(${prefix}${quotedColumn(attribute)}), '')`,
  );
  return texts.length === 0 ? undefined : texts.join(" || ' ' || ");
}
