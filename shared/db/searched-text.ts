import type { EntityModel } from '../domain/entity/entity-model.ts';
import { foldedText } from './folded-text.ts';
import { searchedAttributes } from './searched-attributes.ts';

/**
 * SQL of all texts that searches look at in one: what one of them contains, this contains. One index of it costs half of
 * what an index of each would. `prefix` is empty or an alias with its dot. Undefined if there are none.
 */
export function searchedText(model: EntityModel, prefix: string): string | undefined {
  const texts = searchedAttributes(model).map(
    (attribute) => `coalesce(${foldedText(model, attribute, prefix)}, '')`,
  );
  return texts.length === 0 ? undefined : texts.join(" || ' ' || ");
}
