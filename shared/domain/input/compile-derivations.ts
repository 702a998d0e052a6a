import type { EntityModel } from '../entity/model/entity-model.ts';
import type { FieldBase } from '../field/field-base.ts';
import type { Derive } from '../field/field-type.ts';
import { fieldTypeOf } from '../field/field-types.ts';

/** Orders derivations so that values derived from other fields are computed after those fields. */
export function compileDerivations(model: EntityModel): readonly Derive[] {
  const fields = [...model.fields];
  return [
    ...fields.flatMap(([field, one]) => fieldTypeOf(one).derive?.(field, one) ?? []),
    ...fields.flatMap(([field, { valueBy }]) =>
      valueBy === undefined ? [] : [derivedBy(field, valueBy)],
    ),
    ...compileFollowing(model),
  ];
}

/** Derives the default when the other attribute is written, unless the request sets the field itself. */
function derivedBy(
  field: string,
  { attribute, values }: NonNullable<FieldBase['valueBy']>,
): Derive {
  return (given, _, derived) => {
    const option = derived[attribute];
    const isGiven = given[field] !== undefined && given[field] !== null;
    if (isGiven || typeof option !== 'string' || !Object.hasOwn(values, option)) return null;
    return { [field]: values[option] ?? null };
  };
}

/** Compiles the derivations from other fields that are implied by field types. */
export function compileFollowing({ fields, attribute }: EntityModel): readonly Derive[] {
  return [...fields].flatMap(
    ([field, one]) => fieldTypeOf(one).deriveFromOthers?.(field, one, attribute) ?? [],
  );
}
