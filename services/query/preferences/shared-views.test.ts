import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { sharedViewsFor } from './shared-views.ts';

const search = { q: 'x' };

/** Creates users by id, with their teams and the views that they store. */
function directoryWith(
  users: Readonly<Record<string, { readonly teams?: readonly string[]; readonly views?: unknown }>>,
  more: Readonly<Record<string, unknown>> = {},
) {
  const directory = createDirectory(stockDefinitions);
  for (const id of ['sales', 'support']) {
    directory.apply(aCreation('Team', { name: id }, { recordId: id }));
  }
  for (const [id, { teams = [], views }] of Object.entries(users)) {
    const values = { userName: id, name: `Name of ${id}`, type: 'regular', isActive: true };
    directory.apply(
      aCreation('User', { ...values, teamsIds: teams, ...more } as never, { recordId: id }),
    );
    if (views === undefined) continue;
    directory.apply(
      aCreation(preferencesType, { 'annals-views-Account': views } as never, { recordId: id }),
    );
  }
  return directory;
}

function viewsFor(id: string, directory: ReturnType<typeof directoryWith>) {
  const user = directory.record('User', id);
  if (user === undefined) throw new Error(`user ${id} is missing`);
  return sharedViewsFor(directory.actor(user), 'Account', directory).map(({ name }) => name);
}

describe('shared views', () => {
  it('are seen by the members of their teams, and not by their owner', () => {
    const views = [
      { name: 'Ours', search, teamsIds: ['sales'] },
      { name: 'Mine', search },
      { name: 'Theirs', search, teamsIds: ['support'] },
    ];
    const directory = directoryWith({
      ann: { teams: ['sales', 'support'], views },
      bob: { teams: ['sales'] },
      eve: { teams: [] },
    });
    expect(viewsFor('bob', directory)).toEqual(['Ours']);
    expect(viewsFor('ann', directory)).toEqual([]);
    expect(viewsFor('eve', directory)).toEqual([]);
  });

  it('end when their owner leaves the team or becomes inactive', () => {
    const views = [{ name: 'Ours', search, teamsIds: ['sales'] }];
    const left = directoryWith({ ann: { teams: ['support'], views }, bob: { teams: ['sales'] } });
    expect(viewsFor('bob', left)).toEqual([]);
    const users = { ann: { teams: ['sales'], views }, bob: { teams: ['sales'] } };
    expect(viewsFor('bob', directoryWith(users, { isActive: false }))).toEqual([]);
  });

  it('can be shared by administrators with every team', () => {
    const views = [{ name: 'For sales', search, teamsIds: ['sales'] }];
    const users = { ann: { views }, bob: { teams: ['sales'] } };
    expect(viewsFor('bob', directoryWith(users, { type: 'admin' }))).toEqual(['For sales']);
  });

  it('omit what is malformed, are sorted and limited', () => {
    const many = Array.from({ length: 300 }, (_, index) => ({
      name: `View ${String(index).padStart(3, '0')}`,
      search,
      teamsIds: ['sales'],
    }));
    const malformed = [
      null,
      1,
      {},
      { name: 1, search, teamsIds: ['sales'] },
      { teamsIds: 'sales' },
    ];
    const directory = directoryWith({
      ann: { teams: ['sales'], views: [...malformed, ...many.toReversed()] },
      carl: { teams: ['sales'], views: 'none' },
      bob: { teams: ['sales'] },
    });
    const found = viewsFor('bob', directory);
    expect([found.length, found[0], found.at(-1)]).toEqual([200, 'View 000', 'View 199']);
  });
});
