import { badWhere } from './where-item.ts';

/** Each lets Postgres try the rest of a pattern at every place of a text. */
const maxWildcards = 10;
const maxLength = 500;

/** Refuses a pattern that costs too much in record after record. `wildcards` are those that its writer can use. */
export function requireModestPattern(pattern: string, wildcards: '*' | '%_' | ''): void {
  if (pattern.length > maxLength) {
    throw badWhere(
      `A text to look for has at most ${maxLength} characters, not ${pattern.length}: look for a part of it.`,
    );
  }
  const count = [...pattern].filter((character) => wildcards.includes(character)).length;
  if (count > maxWildcards) {
    const spelled = [...wildcards].join(' and ');
    throw badWhere(
      `A pattern has at most ${maxWildcards} wildcards (${spelled}), not ${count}: leave some out.`,
    );
  }
}
