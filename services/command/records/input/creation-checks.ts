import type { Pool } from 'pg';
import type { Actor } from '../../../../shared/domain/access/actor.ts';
import type { TeamsOf } from '../../../../shared/domain/access/assignment.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { ratesIn } from '../../../../shared/domain/input/currency-rates.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../../shared/domain/value/attribute-values.ts';
import { createFindDuplicates } from './find-duplicates.ts';
import { readNewInput, toNewValues } from './read-values.ts';
import { type ResolveLinks, resolveLinks } from './resolve-links.ts';

/**
 * Derives the values of a new record from a body, and finds duplicates. Refuses bodies that a creation would refuse.
 */
export type CheckCreation = (creation: {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly body: Readonly<Record<string, unknown>>;
}) => Promise<{
  readonly values: AttributeValues;
  readonly duplicates: readonly Readonly<Record<string, AttributeValue>>[];
}>;

/** Checks of actions over several records before the decision. */
export function createChecks(
  pool: Pool,
  directory: Directory,
): { readonly checkCreation: CheckCreation } {
  const findDuplicates = createFindDuplicates({ pool, directory });
  const newValues = {
    resolveLinks: linkResolver(pool, directory),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
  };
  return {
    async checkCreation({ actor, model, body }) {
      const input = readNewInput({ actor, model, body }, newValues);
      const links = await newValues.resolveLinks({ model, values: input, actor });
      const values = toNewValues({ model, input, links }, newValues);
      return { values, duplicates: await findDuplicates({ actor, model, values }) };
    },
  };
}

export function linkResolver(pool: Pool, directory: Directory): ResolveLinks {
  return (request) => resolveLinks({ pool, directory }, request);
}

export function teamsIn(directory: Directory): TeamsOf {
  return (userId) => {
    const user = directory.record('User', userId);
    return user === undefined ? [] : directory.actor(user).teamIds;
  };
}
