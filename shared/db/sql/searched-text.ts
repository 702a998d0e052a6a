import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { foldedText } from './folded-text.ts';
import { searchedAttributes } from './searched-attributes.ts';

/**
 * SQL for all searched texts of a record in one: a text that one of them contains is contained in this one. One index
 * on it takes half the space of an index on each. `prefix` is empty or an alias with its dot. Undefined if there are no
 * such texts.
 */
export function searchedText(model: EntityModel, prefix: string): string | undefined {
  const texts = searchedAttributes(model).map(
    (attribute) => `coalesce(${foldedText(model, attribute, prefix)}, '')`,
  );
  return texts.length === 0 ? undefined : texts.join(" || ' ' || ");
}
