import { ratesIn } from '../../../../shared/domain/input/currency-rates.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import { type FindDuplicates, findDuplicates } from './find-duplicates.ts';
import { type Input, readNewValues, type ValueReads } from './read-values.ts';
import {
  type ReadModels,
  type RequireEditable,
  requireEditable,
  resolveLinks,
} from './resolve-links.ts';

/**  Derives a new record's values from a body, and finds duplicates. Rejects bodies that a creation would reject. */
export type CheckCreation = (creation: Input) => Promise<{
  readonly values: AttributeValues;
  readonly duplicates: readonly AttributeValues[];
}>;

/** Reads records from Postgres, and users and rates from the directory. */
export interface InputReads extends ValueReads {
  readonly requireEditable: RequireEditable;
  readonly findDuplicates: FindDuplicates;
}

export function createInputReads(context: ReadModels): InputReads {
  const { directory } = context;
  return {
    resolveLinks: (request) => resolveLinks(context, request),
    requireEditable: (request) => requireEditable(context, request),
    findDuplicates: (candidate) => findDuplicates(context, candidate),
    teamsOf: (userId) => {
      const user = directory.record('User', userId);
      return user === undefined ? [] : directory.actor(user).teamIds;
    },
    currencies: () => ratesIn(directory),
  };
}

/** Creates the check for actions on several records, which run it before their decision. */
export function createCheckCreation(context: InputReads): CheckCreation {
  return async ({ actor, model, body }) => {
    const values = await readNewValues({ actor, model, body }, context);
    return { values, duplicates: await context.findDuplicates({ actor, model, values }) };
  };
}
