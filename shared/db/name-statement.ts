import { createHash } from 'node:crypto';

/** Returns a prepared statement, which each connection keeps parsed and planned. Its name is derived from its text. */
export function nameStatement(text: string): { readonly name: string; readonly text: string } {
  return { name: createHash('md5').update(text).digest('hex'), text };
}
