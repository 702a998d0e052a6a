import type { EntityModel } from '../entity/model/entity-model.ts';
import { perModel } from '../entity/model/per-model.ts';
import type { FieldProblem } from '../errors.ts';
import type { AttributeValues } from '../value/attribute-values.ts';

/** Reports parents with only an id or only a type. Both must be set together, unless the parent is removed. */
export function findHalfParents(
  model: EntityModel,
  given: AttributeValues,
): readonly FieldProblem[] {
  return parentFields(model).flatMap((field) => {
    const id = given[`${field}Id`];
    const entityType = given[`${field}Type`];
    const isHalf =
      (typeof id === 'string' && entityType === undefined) ||
      (typeof entityType === 'string' && id === undefined);
    if (!isHalf) return [];
    const message = `${field}Id and ${field}Type must be set together.`;
    return [{ field, type: 'valid', message }];
  });
}

/** Returns the fields that link to a record of one of several types. */
export const parentFields = perModel(({ attributes }): readonly string[] =>
  attributes.filter(({ parent }) => parent !== undefined).map(({ field }) => field),
);
