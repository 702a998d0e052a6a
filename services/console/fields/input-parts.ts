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
  return { label, error, required: field.required === true, withAsterisk: field.required === true };
}

export function asText({ values, name }: Pick<InputProps, 'name' | 'values'>): string {
  const value = values[name];
  return value === null || value === undefined ? '' : String(value);
}
