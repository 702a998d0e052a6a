import type { EntityModel } from '../entity/model/entity-model.ts';
import type { FieldProblem } from '../errors.ts';
import { fieldPlanOf } from './field-plan.ts';

/**
 * Merges the problems from reading and deriving into one list in field order, because clients show the first problem. A
 * field whose value was rejected is not also reported as missing.
 */
export function joinProblems(
  model: EntityModel,
  ofReading: readonly FieldProblem[],
  ofDeriving: readonly FieldProblem[],
): readonly FieldProblem[] {
  if (ofReading.length === 0) return ofDeriving;
  const refused = new Set(ofReading.map(({ field }) => field));
  const requirements = fieldPlanOf(model).requirements;
  const missing = ofDeriving.filter(({ field }) => {
    const requirement = requirements.find((candidate) => candidate.field === field);
    return !refused.has(field) && !requirement?.fields.some((name) => refused.has(name));
  });
  return inFieldOrder(model, [...ofReading, ...missing]);
}

export function inFieldOrder(
  model: EntityModel,
  problems: readonly FieldProblem[],
): readonly FieldProblem[] {
  if (problems.length < 2) return problems;
  const { fieldOrder } = fieldPlanOf(model);
  const place = ({ field }: FieldProblem) => fieldOrder.get(field) ?? 0;
  return problems.toSorted((left, right) => place(left) - place(right));
}
