import type { Field } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';
import { TextValue, type ValueProps } from './simple-values.tsx';

/** How a field of a record is read; nothing for an empty one. */
export function FieldValue({ field, ...props }: ValueProps & { readonly field: Field }) {
  const { Value = TextValue } = fieldTypeOf(field);
  return <Value {...props} />;
}
