import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { IdSearch } from '../../../shared/search/find-ids.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { captureLead } from './capture-lead.ts';

const form: AttributeValues = {
  fieldList: ['lastName', 'emailAddress'],
  fieldParams: null,
  duplicateCheck: true,
  subscribeToTargetList: true,
  subscribeContactToTargetList: true,
  leadSource: 'Web Site',
  campaignId: 'campaign',
  targetListId: 'list',
  targetTeamId: 'team',
};

/** Returns the commands that a request sends if records of these types with the same address exist. */
async function commandsOf(
  changes: AttributeValues,
  found: Readonly<Record<string, string>> = {},
  gone: readonly string[] = [],
) {
  const directory = createDirectory(stockDefinitions);
  directory.apply({ ...aCreation('Team', { name: 'Sales' }), recordId: 'team' });
  const sent: unknown[] = [];
  const sender = senderOf(async ({ name }, { actor, model, id, body, conditions }) => {
    sent.push({ name, actor: actor.id, entityType: model.name, id, body, conditions });
    return { state: Object({}), isReplay: false, changed: [], consistencyToken: '' };
  });
  await captureLead(
    {
      capture: { ...form, ...changes },
      payload: { lastName: 'Doe', emailAddress: 'doe@example.com' },
      deadline: 0,
    },
    commandContext({
      directory,
      sender,
      readState: async ({ name: entityType }: EntityModel, id: string) =>
        gone.includes(id) ? undefined : { entityType, id, version: 1, deleted: false, values: {} },
      findIds: async ({ model }: IdSearch) => [found[model.name] ?? []].flat(),
    }),
  );
  return sent;
}

const values = { lastName: 'Doe', emailAddress: 'doe@example.com', source: 'Web Site' };

it('creates a lead as the system user with a campaign, a team and a target list', async () => {
  expect(await commandsOf({})).toEqual([
    {
      name: 'create',
      actor: 'system',
      entityType: 'Lead',
      id: undefined,
      body: { ...values, campaignId: 'campaign', teamsIds: ['team'], targetListsIds: ['list'] },
      conditions: { skipDuplicateCheck: true, allowsMissingFields: true },
    },
  ]);
});

it('omits a campaign and a target list that no longer exist', async () => {
  const [created] = await commandsOf({ targetTeamId: 'other' }, {}, ['campaign', 'list']);
  expect(created).toMatchObject({ body: values });
  expect(Object(created).body).toEqual(values);
});

it('keeps the values of an existing lead and adds its team and target list', async () => {
  const link = { name: 'link', entityType: 'Lead', id: 'l' };
  expect(await commandsOf({}, { Lead: 'l' })).toMatchObject([
    { ...link, body: { field: 'teams', ids: ['team'], entityType: 'Team' } },
    { ...link, body: { field: 'targetLists', ids: ['list'], entityType: 'TargetList' } },
  ]);
  expect(await commandsOf({ duplicateCheck: false }, { Lead: 'l' })).toMatchObject([
    { name: 'create' },
  ]);
});

it('subscribes an existing contact instead of a lead if configured', async () => {
  const found = { Contact: 'c' };
  expect(await commandsOf({}, found)).toMatchObject([
    { name: 'link', entityType: 'Contact', id: 'c', body: { field: 'targetLists' } },
  ]);
  for (const off of ['subscribeToTargetList', 'subscribeContactToTargetList', 'duplicateCheck']) {
    expect(await commandsOf({ [off]: false }, found)).toMatchObject([
      { name: 'create', entityType: 'Lead' },
    ]);
  }
});

it('does not subscribe the lead before the required confirmation', async () => {
  const [created, ...others] = await commandsOf({ optInConfirmation: true }, { Contact: 'c' });
  expect(others).toEqual([]);
  expect(Object(created).body).not.toHaveProperty('targetListsIds');
});
