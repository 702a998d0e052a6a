import { badWhere } from './where-item.ts';

/** Each wildcard makes Postgres try the rest of the pattern at every position of a text. */
const MAX_WILDCARDS = 10;
const MAX_LENGTH = 500;

/**
 * Throws if a pattern is too expensive to match against many records. `wildcards` lists the wildcards available to the
 * client.
 */
export function requireModestPattern(pattern: string, wildcards: '*' | '%_' | ''): void {
  if (pattern.length > MAX_LENGTH) {
    throw badWhere(
      `A search text must have at most ${MAX_LENGTH} characters, not ${pattern.length}. Search for a part of it.`,
    );
  }
  const count = [...pattern].filter((character) => wildcards.includes(character)).length;
  if (count > MAX_WILDCARDS) {
    const spelled = [...wildcards].join(' and ');
    throw badWhere(
      `A pattern must have at most ${MAX_WILDCARDS} wildcards (${spelled}), not ${count}. Remove some.`,
    );
  }
}
