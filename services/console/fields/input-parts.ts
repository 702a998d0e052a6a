import type { Entity, Field } from '../api/metadata.ts';

/** Attributes of a record by name, in the format of the API. */
export type Values = Readonly<Record<string, unknown>>;

export interface InputProps {
  readonly entity: Entity;
  readonly name: string;
  readonly field: Field;
  readonly label: string;
  readonly values: Values;
  readonly error: string | undefined;
  readonly onChange: (changed: Values) => void;
}

/** Returns the properties that all inputs have in common. */
export function common({ label, field, error }: InputProps) {
  const isRequired = field.required === true;
  return { label, error, required: isRequired, withAsterisk: isRequired, ...hintOf(field) };
}

/** Returns the property that shows the field's explanation. */
function hintOf({ tooltip }: Field): { readonly description?: string } {
  return typeof tooltip === 'string' && tooltip !== '' ? { description: tooltip } : {};
}

export function asText({
  values,
  name,
}: {
  readonly values: Values;
  readonly name: string;
}): string {
  const value = values[name];
  return value === null || value === undefined ? '' : String(value);
}

/** Returns the records or files of a link to many. */
export function linkedOf(values: Values, link: string) {
  const ids = values[`${link}Ids`];
  const names = Object(values[`${link}Names`]);
  return (Array.isArray(ids) ? ids : []).map((id) => ({
    id: String(id),
    name: String(names[id] ?? id),
  }));
}
