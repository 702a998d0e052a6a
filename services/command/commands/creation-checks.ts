import type { Pool } from 'pg';
import type { TeamsOf } from '../../../shared/domain/access/assignment.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { ratesIn } from '../../../shared/domain/field/currency-rates.ts';
import type { ConvertDeps } from '../actions/convert-lead.ts';
import { createFindDuplicates } from './find-duplicates.ts';
import { readNewValues } from './read-values.ts';
import { type ResolveLinks, resolveLinks } from './resolve-links.ts';

/** What actions over several records ask before they decide. */
export function createChecks(pool: Pool, directory: Directory): Pick<ConvertDeps, 'checkCreation'> {
  const findDuplicates = createFindDuplicates({ pool, directory });
  const newValues = {
    resolveLinks: linkResolver(pool, directory),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
  };
  return {
    async checkCreation({ actor, model, body }) {
      const values = await readNewValues({ actor, model, body }, newValues);
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
