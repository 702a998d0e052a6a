import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../../shared/domain/entity/model/per-model.ts';
import {
  type Decision,
  decideUpdate,
  type SiblingsOf,
} from '../../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';

/** Decides an update by the entity type's rules. The event contains all attributes of each changed field. */
export function decideChange(
  model: EntityModel,
  current: RecordState,
  after: AttributeValues,
  now: number,
): Decision | undefined {
  const written = withFollowedRules(model, { current: current.values, after, now });
  return decideUpdate(current, written, siblingsIn(model));
}

/** Returns, for each attribute, the other attributes of its field (an address, a link). */
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
