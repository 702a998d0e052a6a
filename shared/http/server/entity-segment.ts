import type { Directory } from '../../domain/directory/directory.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import { Refusal } from '../../domain/errors.ts';
import { capitalized } from '../../domain/field/attribute.ts';
import { findAfterCatchUp } from '../login/find-after-catch-up.ts';

export interface EntityDeps {
  readonly directory: Pick<Directory, 'entity'>;
  /** From catchUpBriefly, so it never rejects, and resolves soon. */
  readonly catchUp: () => Promise<void>;
}

/**
 * Returns the entity type that a path segment names: `Contact`, `contact` or `contacts`. All letters but the first are
 * case-sensitive, and only the lower-case form has a plural. Also finds a type that another instance has just created.
 */
export async function resolveEntity(
  { directory, catchUp }: EntityDeps,
  segment: string,
): Promise<EntityModel> {
  const find = () => findEntity(directory, segment);
  const found = find() ?? (await findAfterCatchUp(find, catchUp));
  if (found !== undefined) return found;
  throw new Refusal('not_found', 'entity.unknown', `Entity type '${segment}' does not exist.`);
}

function findEntity(directory: EntityDeps['directory'], segment: string) {
  const found = directory.entity(segment) ?? findLowerCase(directory, segment);
  return found?.definition.isInternal === true ? undefined : found;
}

function findLowerCase({ entity }: EntityDeps['directory'], segment: string) {
  const name = capitalized(segment);
  if (name === segment) return undefined;
  return [name, ...singularsOf(name)].map(entity).find((found) => found !== undefined);
}

/**
 * Returns the singulars of a plural. Different words may have the same plural ending, so every word with this plural
 * is a candidate.
 */
export function singularsOf(plural: string): readonly string[] {
  const candidates = [plural.slice(0, -1), plural.slice(0, -2), `${plural.slice(0, -3)}y`];
  return candidates.filter((word) => pluralOf(word) === plural);
}

function pluralOf(word: string): string {
  if (/[^aeiou]y$/.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}
