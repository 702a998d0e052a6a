import type { Entity } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';

/** The attributes that a field is shown with. */
export function attributesOf(entity: Entity, name: string): readonly string[] {
  const field = entity.fields[name];
  return (field && fieldTypeOf(field).attributes?.(name)) ?? [name];
}
