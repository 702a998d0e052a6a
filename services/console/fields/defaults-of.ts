import type { Entity } from '../api/metadata.ts';
import type { Values } from './input-parts.ts';

/** What a new record of the type begins with. */
export function defaultsOf({ fields }: Entity): Values {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, { default: value }]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
