import type { EntityModel } from '../entity/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import type { AttributeValue, AttributeValues } from '../record/attribute-values.ts';
import { fieldPlanOf } from './field-plan.ts';
import { findMissingFields } from './find-missing-fields.ts';
import { valueAfter } from './value-after.ts';

/**
 * The values to write: the given ones (as `readInput` answers them) and what follows from them. `current` is null on
 * create; the result then has every attribute of the record's own, null included. Problems are missing fields, in
 * field order, among those that the write touches: on create that is all of them.
 */
export function settleValues(
  model: EntityModel,
  current: AttributeValues | null,
  values: AttributeValues,
): { readonly values: AttributeValues; readonly problems: readonly FieldProblem[] } {
  const plan = fieldPlanOf(model);
  const settled: Record<string, AttributeValue> =
    current === null ? { ...plan.defaults, ...values } : { ...values };
  for (const settle of plan.settlers) Object.assign(settled, settle(values, current, settled));
  const problems = findMissingFields(plan.requirements, settled, (attribute) =>
    valueAfter(attribute, settled, current),
  );
  return { values: settled, problems };
}
