import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, validationFailure } from '../../../../shared/domain/errors.ts';

/** Throws a refusal that names every failing field, if there is one. */
export function refuseProblems(model: EntityModel, problems: readonly FieldProblem[]): void {
  const [first, ...others] = problems;
  if (first !== undefined) throw validationFailure(model.name, [first, ...others]);
}
