import type { EntityModel } from '../entity/entity-model.ts';
import type { Derive } from './field-type.ts';
import { fieldTypeOf } from './field-types.ts';
import { settleByValue } from './settle-by-value.ts';

/** What follows from other fields comes after those, whatever their order in the definition. */
export function compileSettlers(model: EntityModel): readonly Derive[] {
  const fields = [...model.fields];
  return [
    ...fields.flatMap(([field, one]) => fieldTypeOf(one).derive?.(field, one) ?? []),
    ...fields.flatMap(([field, { valueBy }]): readonly Derive[] =>
      valueBy === undefined
        ? []
        : [(given, _, settled) => settleByValue(field, valueBy, { given, settled })],
    ),
    ...compileFollowing(model),
  ];
}

/** What follows from other fields by the type of a field. */
export function compileFollowing({ fields, attribute }: EntityModel): readonly Derive[] {
  return [...fields].flatMap(
    ([field, one]) => fieldTypeOf(one).deriveFromOthers?.(field, one, attribute) ?? [],
  );
}
