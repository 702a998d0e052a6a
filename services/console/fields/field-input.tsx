import type { Field } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';
import type { InputProps } from './input-parts.ts';

/** What a field is entered with. Null for one that Annals sets itself. */
export function FieldInput(props: InputProps) {
  const { Input } = fieldTypeOf(props.field);
  return Input === undefined ? null : <Input {...props} />;
}

/** Whether people may set a field of this type. */
export function isEntered(field: Field): boolean {
  const { readOnly, notStorable } = field;
  return readOnly !== true && notStorable !== true && fieldTypeOf(field).Input !== undefined;
}
