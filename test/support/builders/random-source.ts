/** Pseudo-random numbers, the same for the same seed. */
export interface RandomSource {
  /** Returns an integer from 0 to below the limit. */
  int(limit: number): number;
  /** Returns true with this probability, from 0 (never) to 1. */
  chance(probability: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
  text(maxLength: number): string;
}

const oddCharacters = [
  ...'abz09 _-.,:;/\\\'"<>{}[]()%&?=+*#@!$^|~`\t\n\r',
  '\u0000',
  '\u007f',
  '\u00e4',
  '\u0130',
  '\u2028',
  '\ud83d',
  '\udc00',
  '\uffff',
  '\u{1f642}',
  '\u202e',
];

/** Uses the generator mulberry32. */
export function createRandomSource(seed: number): RandomSource {
  let state = seed;
  function next(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const int = (limit: number): number => Math.floor(next() * limit);
  const pick = <Value>(values: readonly Value[]): Value => values[int(values.length)] as Value;
  return {
    int,
    pick,
    chance: (probability) => next() < probability,
    text: (maxLength) =>
      Array.from({ length: int(maxLength + 1) }, () => pick(oddCharacters)).join(''),
  };
}
