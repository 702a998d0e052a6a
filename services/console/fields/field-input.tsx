import type { Field } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';
import type { InputProps } from './input-parts.ts';

/** The input of a field; null if the server sets it. */
export function FieldInput(props: InputProps) {
  const { Input } = fieldTypeOf(props.field);
  return Input === undefined ? null : <Input {...props} />;
}

/** True if users can set the field. */
export function isEntered(field: Field): boolean {
  const { readOnly, notStorable } = field;
  return readOnly !== true && notStorable !== true && fieldTypeOf(field).Input !== undefined;
}
