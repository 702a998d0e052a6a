import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { userRules } from './user-rules.ts';

const directory = createDirectory(stockDefinitions);
directory.apply(
  aCreation(
    'User',
    { userName: 'ann', teamsIds: ['sales'], defaultTeamId: 'former' },
    { recordId: 'ann' },
  ),
);
const context = commandContext({ directory });

const become = (id: string, teamsIds: readonly string[], defaultTeamId: string | null) => () =>
  userRules.requireConsistent?.(id, { userName: id, teamsIds, defaultTeamId }, context);

describe('the default team of a user', () => {
  it("can be one of the user's teams or empty", () => {
    expect(become('bob', ['sales', 'support'], 'support')).not.toThrow();
    expect(become('bob', ['sales'], null)).not.toThrow();
  });

  it('is rejected if the user does not belong to it', () => {
    expect(become('bob', ['sales'], 'support')).toThrow('defaultTeam must be one of the user');
    expect(become('ann', ['sales'], 'support')).toThrow('defaultTeam must be one of the user');
  });

  it('may remain set after the user leaves the team', () => {
    expect(become('ann', ['sales', 'support'], 'former')).not.toThrow();
  });
});

it('rejects the unsupported user type `portal`', () => {
  expect(userRules.check?.({ type: 'portal' }, context)).toMatchObject([
    { field: 'type', type: 'valid' },
  ]);
  for (const type of ['regular', 'admin', 'api'])
    expect(userRules.check?.({ type }, context)).toEqual([]);
});

it('lets users change only their names, addresses and picture', () => {
  const ann = buildActor(
    { id: 'ann', name: 'Ann', userName: 'ann', type: 'regular', teamIds: [] },
    [],
  );
  const own = { firstName: 'Ann', phoneNumberData: [], avatarId: 'file1' };
  const body = { ...own, type: 'admin', rolesIds: ['all'], avatarColor: '#ffffff' };
  expect(userRules.admit?.(ann, 'ann', body)).toEqual(own);
});
