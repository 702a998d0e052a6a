import type { EntityModel } from '../entity/model/entity-model.ts';
import type { FieldBase } from '../field/field-base.ts';
import type { Derive } from '../field/field-type.ts';
import { fieldTypeOf } from '../field/field-types.ts';

/** Values derived from other fields come after those, whatever the order in the definition. */
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

/** Follows the other attribute when that is written, unless the request gives a value of its own. */
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

/** The derivations from other fields that the type of a field implies. */
export function compileFollowing({ fields, attribute }: EntityModel): readonly Derive[] {
  return [...fields].flatMap(
    ([field, one]) => fieldTypeOf(one).deriveFromOthers?.(field, one, attribute) ?? [],
  );
}
