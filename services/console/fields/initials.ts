const word = /[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu;

/** Returns the first letters of the first and the last word of a name, in upper case. */
export function initialsOf(name: string): string {
  const words = name.match(word) ?? [];
  const letters = words.length > 1 ? [words[0], words.at(-1)] : words;
  return letters.map((one = '') => [...one][0]?.toLocaleUpperCase() ?? '').join('');
}

/** Returns a number that stays the same for a text, to choose a colour. */
export function hashOf(text: string): number {
  let hash = 0;
  for (const character of text) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003;
  return hash;
}
