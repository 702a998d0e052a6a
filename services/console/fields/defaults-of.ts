import type { Entity } from '../api/metadata.ts';
import type { Values } from './input-parts.ts';

/** Returns the default values for a new record of the entity type. */
export function defaultsOf({ fields }: Entity): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
