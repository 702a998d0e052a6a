import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { type Decision, decideUpdate } from '../../../../shared/domain/record/decide.ts';
import { withFollowedRules } from '../../../../shared/domain/record/followed-rules.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import { siblingsIn } from './siblings-in.ts';

/** Decides an update by the rules of the entity type. Fields that change stand in the event as a whole. */
export function decideChange(
  model: EntityModel,
  current: RecordState,
  after: AttributeValues,
  now: number = Date.now(),
): Decision | undefined {
  const written = withFollowedRules(model, { current: current.values, after, now });
  return decideUpdate(current, written, siblingsIn(model));
}
