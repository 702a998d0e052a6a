import { createHash } from 'node:crypto';

/** A statement that each connection keeps parsed and planned, under a name that only the same text has. */
export function nameStatement(text: string): { readonly name: string; readonly text: string } {
  return { name: createHash('md5').update(text).digest('hex'), text };
}
