import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../../shared/domain/entity/model/per-model.ts';
import type { SiblingsOf } from '../../../../shared/domain/record/decide.ts';

/** For each attribute, the other attributes of its field (an address, a link). */
export function siblingsIn(model: EntityModel): SiblingsOf {
  const siblings = siblingsOf(model);
  return (attribute) => siblings.get(attribute) ?? [];
}

const siblingsOf = perModel((model): ReadonlyMap<string, readonly string[]> => {
  const byField = Map.groupBy(model.attributes, ({ field }) => field);
  return new Map(
    model.attributes.map(({ name, field }) => [
      name,
      (byField.get(field) ?? []).map((sibling) => sibling.name).filter((other) => other !== name),
    ]),
  );
});
