import { nameStatement } from '../db/name-statement.ts';

/** SQL text, with a name if connections should prepare it. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** Every connection keeps its prepared statements, about 20 kB each, until it closes, so their number is limited. */
const MAX_PREPARED = 500;

/**
 * Names statements by their text, so that the name is the same in every process and after every change of the directory.
 * Texts beyond `limit` get no name and are planned each time.
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
