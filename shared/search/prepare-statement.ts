import { nameStatement } from '../db/name-statement.ts';

/** SQL text, with a name if the connections shall keep it parsed. */
export interface Statement {
  readonly text: string;
  readonly name?: string;
}

/** Every connection keeps what it prepared for as long as it lives, some 20 kB each: so their number has an end. */
const maxPrepared = 500;

/**
 * Names statements by their text: the same text has the same name in every process and after every change of the
 * directory. Further texts than `maxPrepared` stay without a name, they work as well and are planned each time.
 */
export function createPrepare(): (text: string) => Statement {
  const prepared = new Map<string, Statement>();
  return (text) => {
    const known = prepared.get(text);
    if (known !== undefined || prepared.size >= maxPrepared) return known ?? { text };
    const statement = nameStatement(text);
    prepared.set(text, statement);
    return statement;
  };
}
