import type { FieldProblem } from '../../../shared/domain/errors.ts';
import type { Report } from '../../../shared/domain/field/attribute-rule.ts';

/** For tests: returns the stored value, or the names of the validations that rejected it. */
export function outcomeOf(
  read: (report: Report) => unknown,
): { readonly kept: unknown } | { readonly refused: readonly string[] } {
  const problems: FieldProblem[] = [];
  const kept = read((problem) => {
    problems.push(problem);
    return undefined;
  });
  return kept === undefined ? { refused: problems.map(({ type }) => type) } : { kept };
}
