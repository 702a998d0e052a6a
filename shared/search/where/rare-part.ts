import type { EntityModel } from '../../domain/entity/entity-model.ts';

/** Of the searched texts of an entity type's records: three characters each that many of them have. */
export type CommonTrigrams = ReadonlySet<string>;

/** Undefined while they are not known. */
export type FindCommonTrigrams = (model: EntityModel) => CommonTrigrams | undefined;

/**
 * The longest part of a text, in lower case, that has no common trigram. What contains the text contains the part, and an
 * index finds that sooner. Undefined if nothing in the text is common, or if all of it is: then the whole text serves best.
 */
export function rarePart(text: string, common: CommonTrigrams = new Set()): string | undefined {
  const isCommon = (trigram: string) => common.has(trigram);
  // Postgres has trigrams of other characters as numbers.
  const words = text.match(/[a-z0-9]{3,}/g) ?? [];
  if (!words.some((word) => trigramsOf(word).some(isCommon))) return undefined;
  const parts = words.flatMap((word) => rareParts(word, isCommon));
  return parts.reduce<string | undefined>(
    (longest, part) => (part.length > (longest?.length ?? 0) ? part : longest),
    undefined,
  );
}

function trigramsOf(word: string): readonly string[] {
  return Array.from({ length: word.length - 2 }, (_, start) => word.slice(start, start + 3));
}

function rareParts(word: string, isCommon: (trigram: string) => boolean): readonly string[] {
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
  return [...parts, part].filter((one) => one !== '');
}
