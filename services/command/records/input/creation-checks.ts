import { ratesIn } from '../../../../shared/domain/input/currency-rates.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import { type FindDuplicates, findDuplicates } from './find-duplicates.ts';
import { type Creation, type NewValuesDeps, readNewValues } from './read-values.ts';
import {
  type ReadModels,
  type RequireEditable,
  requireEditable,
  resolveLinks,
} from './resolve-links.ts';

/**
 * Derives the values of a new record from a body, and finds duplicates. Refuses bodies that a creation would refuse.
 */
export type CheckCreation = (creation: Creation) => Promise<{
  readonly values: AttributeValues;
  readonly duplicates: readonly AttributeValues[];
}>;

/** Reads of what the values of a request refer to: records in Postgres, users and rates in the directory. */
export interface InputReads extends NewValuesDeps {
  readonly requireEditable: RequireEditable;
  readonly findDuplicates: FindDuplicates;
}

export function createInputReads(deps: ReadModels): InputReads {
  const { directory } = deps;
  return {
    resolveLinks: (request) => resolveLinks(deps, request),
    requireEditable: (request) => requireEditable(deps, request),
    findDuplicates: (candidate) => findDuplicates(deps, candidate),
    teamsOf: (userId) => {
      const user = directory.record('User', userId);
      return user === undefined ? [] : directory.actor(user).teamIds;
    },
    currencies: () => ratesIn(directory),
  };
}

/** The check of actions over several records before the decision. */
export function createCheckCreation(deps: InputReads): CheckCreation {
  return async ({ actor, model, body }) => {
    const values = await readNewValues({ actor, model, body }, deps);
    return { values, duplicates: await deps.findDuplicates({ actor, model, values }) };
  };
}
