import type { Field } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';
import { TextValue, type ValueProps } from './simple-values.tsx';

/** Shows the value of a field; nothing if it is empty. */
export function FieldValue({ field, ...props }: ValueProps & { readonly field: Field }) {
  const { Value = TextValue } = fieldTypeOf(field);
  return <Value {...props} />;
}
