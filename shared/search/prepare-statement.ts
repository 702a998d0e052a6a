import { nameStatement } from '../db/name-statement.ts';

/** SQL text, with a name if connections shall prepare it. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/**
 * Every connection keeps its prepared statements for as long as it lives, some 20 kB each, so their number is limited.
 */
const MAX_PREPARED = 500;

/**
 * Names statements by their text: the same text has the same name in every process and after every change of the
 * directory. Texts beyond `limit` get no name, and are planned each time.
 */
export function createPrepare(limit = MAX_PREPARED): (text: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined || prepared.size >= limit) return known ?? { text };
    const statement = nameStatement(text);
    prepared.set(text, statement);
    return statement;
  };
}
