import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, validationFailure } from '../../../../shared/domain/errors.ts';

/** Throws a refusal with all problems, if there are any. */
export function refuseProblems(model: EntityModel, problems: readonly FieldProblem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
}
