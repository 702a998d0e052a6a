import type { Directory } from '../domain/directory/directory.ts';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import { Refusal } from '../domain/errors.ts';

/**
 * The entity type that a part of a path names: `Contact`, `contact` or `contacts`. From the second letter on case
 * counts, and only the lower-case form has a plural.
 */
export function resolveEntity(directory: Pick<Directory, 'entity'>, segment: string): EntityModel {
  const found = directory.entity(segment) ?? findLowerCase(directory, segment);
  if (found !== undefined && found.definition.isInternal !== true) return found;
  throw new Refusal('not_found', 'entity.unknown', `Entity type '${segment}' does not exist.`);
}

function findLowerCase({ entity }: Pick<Directory, 'entity'>, segment: string) {
  const name = segment.charAt(0).toUpperCase() + segment.slice(1);
  if (name === segment) return undefined;
  return (
    entity(name) ??
    singularsOf(name)
      .map(entity)
      .find((found) => found !== undefined)
  );
}

/** Several words may have the same plural ending, so every word that has this very plural is a candidate. */
export function singularsOf(plural: string): readonly string[] {
  const candidates = [plural.slice(0, -1), plural.slice(0, -2), `${plural.slice(0, -3)}y`];
  return candidates.filter((word) => pluralOf(word) === plural);
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
