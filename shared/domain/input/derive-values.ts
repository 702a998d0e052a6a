import type { EntityModel } from '../entity/model/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import { valueAfter } from '../field/value-after.ts';
import type { AttributeValue, AttributeValues } from '../value/attribute-values.ts';
import { fieldPlanOf } from './field-plan.ts';
import { findHalfParents, findMissingFields } from './find-missing-fields.ts';
import { inFieldOrder } from './join-problems.ts';

/**
 * Returns the values to write: `values` (from `readInput`) and everything derived from them. `current` is null on
 * create; the result then has all of the record's own attributes, including nulls. Reports problems in field order:
 * missing required fields that the write touches (on create, all missing ones), and parents with only an id or only a
 * type.
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
