import type { EntityModel } from '../entity/model/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import { valueAfter } from '../field/value-after.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { fieldPlanOf } from './field-plan.ts';
import { findHalfParents } from './find-half-parents.ts';
import { findMissingFields } from './find-missing-fields.ts';
import { inFieldOrder } from './join-problems.ts';

/**
 * The values to write: the given ones (from `readInput`) and those derived from them. `current` is null on create; the
 * result then has every attribute of the record's own, null included. Problems are, in field order, missing fields
 * among those that the write touches (on create all of them), and parents of which only one half is given.
 */
export function deriveValues(
  model: EntityModel,
  current: AttributeValues | null,
  values: AttributeValues,
): { readonly values: AttributeValues; readonly problems: readonly FieldProblem[] } {
  const plan = fieldPlanOf(model);
  const derived: Record<string, AttributeValue> =
    current === null ? { ...plan.defaults, ...values } : { ...values };
  for (const derive of plan.derivations) Object.assign(derived, derive(values, current, derived));
  const missing = findMissingFields(plan.requirements, derived, (attribute) =>
    valueAfter(attribute, derived, current),
  );
  const problems = [...missing, ...findHalfParents(model, values)];
  return { values: derived, problems: inFieldOrder(model, problems) };
}
