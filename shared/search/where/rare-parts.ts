import type { EntityModel } from '../../domain/entity/model/entity-model.ts';

/** Trigrams that are common in the searched texts of an entity type's records. */
export type CommonTrigrams = ReadonlySet<string>;

/** Returns undefined until the trigrams have been counted. */
export type FindCommonTrigrams = (model: EntityModel) => CommonTrigrams | undefined;

/**
 * Returns a LIKE pattern of the longest case-folded part without common trigrams in each word, joined with `%`. Every
 * text that contains the search text matches the pattern, and an index finds matches faster. Returns undefined if no
 * trigram or every trigram is common, because the whole text is then the best pattern.
 */
export function rareParts(text: string, common: CommonTrigrams = new Set()): string | undefined {
  const isCommon = (trigram: string) => common.has(trigram);
  // Only ASCII: Postgres hashes trigrams with other characters. Normalization merges combining marks into such characters.
  const words =
    text
      .toLowerCase()
      .normalize('NFC')
      .match(/[a-z0-9]{3,}/g) ?? [];
  if (!words.some((word) => trigramsOf(word).some(isCommon))) return undefined;
  // Parts of the same word may overlap, which a single LIKE pattern cannot express.
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
