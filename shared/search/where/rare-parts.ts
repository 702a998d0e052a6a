import type { EntityModel } from '../../domain/entity/entity-model.ts';

/** Of the searched texts of an entity type's records: three characters each that many of them have. */
export type CommonTrigrams = ReadonlySet<string>;

/** Undefined while they are not known. */
export type FindCommonTrigrams = (model: EntityModel) => CommonTrigrams | undefined;

/**
 * Of each word of a text, in lower case, the longest part that has no common trigram, as a pattern of LIKE with `%` between
 * them: what contains the text matches it, and an index finds that sooner. Undefined if nothing in the text is common, or
 * all of it: then the whole text serves best.
 */
export function rareParts(text: string, common: CommonTrigrams = new Set()): string | undefined {
  const isCommon = (trigram: string) => common.has(trigram);
  // Postgres has trigrams of other characters as numbers.
  const words = text.match(/[a-z0-9]{3,}/g) ?? [];
  if (!words.some((word) => trigramsOf(word).some(isCommon))) return undefined;
  // Parts of the same word may overlap, as `LIKE` does not.
  const parts = words.map((word) => longest(partsOf(word, isCommon))).filter((part) => part !== '');
  return parts.length === 0 ? undefined : parts.join('%');
}

function longest(parts: readonly string[]): string {
  return parts.reduce((found, part) => (part.length > found.length ? part : found), '');
}

function trigramsOf(word: string): readonly string[] {
  return Array.from({ length: word.length - 2 }, (_, start) => word.slice(start, start + 3));
}

function partsOf(word: string, isCommon: (trigram: string) => boolean): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const trigram of trigramsOf(word)) {
    if (isCommon(trigram)) {
      parts.push(part);
      part = '';
    } else {
      part = part === '' ? trigram : part + trigram.slice(-1);
    }
  }
  return [...parts, part];
}
