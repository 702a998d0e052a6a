import { expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { noLinks } from '../records/input/resolve-links.ts';
import { decideRevert } from './decide-revert.ts';

const model = createDirectory(stockDefinitions).entity('Account');
const actor = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'admin', teamIds: [] },
  [],
);

/** Undoes the creation of a record that has had `seen` events in the history, and `version` events in the log. */
function undoCreation({ seen, version }: { readonly seen: number; readonly version: number }) {
  if (model === undefined) throw new Error('no Account');
  const effect = { kind: 'appeared', changes: [], version: 1, seen, replaced: [] } as const;
  const state = { entityType: 'Account', id: 'x', version, deleted: false, values: {} };
  const reverting = { actor, model, id: 'x', effect, links: noLinks, isFollowUp: false };
  return decideRevert(state, { ...reverting, teamsOf: () => [] }, 0)?.type;
}

it('keeps a new record if the history lacks its latest change', () => {
  expect(() => undoCreation({ seen: 1, version: 2 })).toThrow('has changed since');
  expect(undoCreation({ seen: 1, version: 1 })).toBe('Deleted');
  expect(undoCreation({ seen: 2, version: 2 })).toBe('Deleted');
});
