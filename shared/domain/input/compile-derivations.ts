import type { EntityModel } from '../entity/model/entity-model.ts';
import { deriveByValue } from '../field/derive-by-value.ts';
import type { Derive } from '../field/field-type.ts';
import { fieldTypeOf } from '../field/field-types.ts';

/** Values derived from other fields come after those, whatever the order in the definition. */
export function compileDerivations(model: EntityModel): readonly Derive[] {
  const fields = [...model.fields];
  return [
    ...fields.flatMap(([field, one]) => fieldTypeOf(one).derive?.(field, one) ?? []),
    ...fields.flatMap(([field, { valueBy }]): readonly Derive[] =>
      valueBy === undefined
        ? []
        : [(given, _, derived) => deriveByValue(field, valueBy, { given, derived })],
    ),
    ...compileFollowing(model),
  ];
}

/** The derivations from other fields that the type of a field implies. */
export function compileFollowing({ fields, attribute }: EntityModel): readonly Derive[] {
  return [...fields].flatMap(
    ([field, one]) => fieldTypeOf(one).deriveFromOthers?.(field, one, attribute) ?? [],
  );
}
