import type { Entity } from '../api/metadata.ts';
import { fieldTypeOf } from './field-types.tsx';

/** Returns the attributes that are needed to show a field. */
export function attributesOf(entity: Entity, name: string): readonly string[] {
  const field = entity.fields[name];
  return (field && fieldTypeOf(field).attributes?.(name)) ?? [name];
}
