import { badWhere } from './where-item.ts';

/** Each wildcard makes Postgres try the rest of the pattern at every position of a text. */
const MAX_WILDCARDS = 10;
const MAX_LENGTH = 500;

/**
 * Refuses a pattern that is too expensive to compare with many records. `wildcards` are those that the client can use.
 */
export function requireModestPattern(pattern: string, wildcards: '*' | '%_' | ''): void {
  if (pattern.length > MAX_LENGTH) {
    throw badWhere(
      `A text to look for has at most ${MAX_LENGTH} characters, not ${pattern.length}: look for a part of it.`,
    );
  }
  const count = [...pattern].filter((character) => wildcards.includes(character)).length;
  if (count > MAX_WILDCARDS) {
    const spelled = [...wildcards].join(' and ');
    throw badWhere(
      `A pattern has at most ${MAX_WILDCARDS} wildcards (${spelled}), not ${count}: leave some out.`,
    );
  }
}
