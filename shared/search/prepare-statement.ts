import { createHash } from 'node:crypto';

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
  const names = new Map<string, string>();
  return (text) => {
    const name = names.get(text) ?? (names.size < maxPrepared ? nameOf(text) : undefined);
    if (name === undefined) return { text };
    names.set(text, name);
    return { text, name };
  };
}

function nameOf(text: string): string {
  return `read_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`;
}
