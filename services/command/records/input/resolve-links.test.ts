import { Pool } from 'pg';
import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../../shared/domain/value/attribute-values.ts';
import { aCreation } from '../../../../test/support/builders/record-event-builder.ts';
import { systemAdministrator } from '../../owner/command.ts';
import { resolveLinks } from './resolve-links.ts';

const directory = createDirectory(stockDefinitions);
const user = aCreation('User', { name: 'Ann' });
const team = aCreation('Team', { name: 'Sales' });
directory.apply(user);
directory.apply(team);
const model = directory.entity('Contact') as EntityModel;

const empty = {
  accountId: null,
  accountsIds: [],
  assignedUserId: null,
  campaignId: null,
  teamsIds: [],
};
const companionsOfEmpty = {
  accountName: null,
  accountType: null,
  accountsNames: {},
  campaignName: null,
  assignedUserName: null,
  teamsNames: {},
};

/** Returns the companions in order. No database is available, so a query would fail. */
async function companionsOf(values: AttributeValues) {
  const context = { pool: new Pool({ host: '127.0.0.1', port: 1 }), directory };
  const links = await resolveLinks(context, { model, values, actor: systemAdministrator });
  expect(links.unreadable).toEqual([]);
  return Object.entries(links.values);
}

describe('the names and types of links', () => {
  it('are empty without a query if the links are empty', async () => {
    expect(await companionsOf(empty)).toEqual(Object.entries(companionsOfEmpty));
  });

  it('have the same order for empty and existing links', async () => {
    const linked = { ...empty, assignedUserId: user.recordId, teamsIds: [team.recordId] };
    const names = { assignedUserName: 'Ann', teamsNames: { [team.recordId]: 'Sales' } };
    expect(await companionsOf(linked)).toEqual(Object.entries({ ...companionsOfEmpty, ...names }));
  });

  it('are absent if the values do not contain the links', async () => {
    expect(await companionsOf({ accountId: null })).toEqual([
      ['accountName', null],
      ['accountType', null],
    ]);
  });

  it('are not resolved for an empty id', async () => {
    const refused = companionsOf({ assignedUserId: '' });
    await expect(refused).rejects.toMatchObject({ code: 'link.non_existing' });
  });
});
