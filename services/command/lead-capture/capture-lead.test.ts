import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { IdSearch } from '../../../shared/search/find-ids.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { type Captured, captureLead } from './capture-lead.ts';

let searched: string[] = [];

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

interface Options {
  readonly optIn?: NonNullable<Captured['optIn']>;
  /** The values of records after they are linked. */
  readonly linked?: AttributeValues;
  readonly isReplay?: boolean;
}

/** Returns the commands that a request sends if records of these types with the same address exist. */
async function commandsOf(
  changes: AttributeValues,
  found: Readonly<Record<string, string>> = {},
  gone: readonly string[] = [],
  { optIn, linked = {}, isReplay = false }: Options = {},
) {
  const directory = createDirectory(stockDefinitions);
  directory.apply({ ...aCreation('Team', { name: 'Sales' }), recordId: 'team' });
  const sent: unknown[] = [];
  searched = [];
  const sender = senderOf(async ({ name }, { actor, model, id, body, conditions, commandId }) => {
    const key = commandId === null ? {} : { commandId };
    sent.push({ name, actor: actor.id, entityType: model.name, id, body, conditions, ...key });
    const state = Object({ id: 'made', values: linked });
    return { state, isReplay, changed: [], consistencyToken: '' };
  });
  await captureLead(
    {
      capture: { ...form, ...changes },
      values: { lastName: 'Doe', emailAddress: 'doe@example.com', phoneNumber: '+1' },
      deadline: 0,
      ...(optIn === undefined ? {} : { optIn }),
    },
    commandContext({
      directory,
      sender,
      readState: async ({ name: entityType }: EntityModel, id: string) =>
        gone.includes(id) ? undefined : { entityType, id, version: 1, deleted: false, values: {} },
      findIds: async ({ model, filter }: IdSearch) => {
        searched.push(JSON.stringify(filter.where));
        return [found[model.name] ?? []].flat();
      },
    }),
  );
  return sent;
}

const values = {
  lastName: 'Doe',
  emailAddress: 'doe@example.com',
  phoneNumber: '+1',
  source: 'Web Site',
};

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

describe('with an opt-in', () => {
  const optIn = { id: 'opt-in', isConfirmed: true, endsOptOut: true };
  const before = { optIn: { ...optIn, isConfirmed: false, endsOptOut: false } };

  it('subscribes no record before the confirmation', async () => {
    const [created, ...others] = await commandsOf({}, { Contact: 'c' }, [], before);
    expect(others).toEqual([]);
    expect(created).toMatchObject({ name: 'create', commandId: 'opt-in/opt-in' });
    expect(Object(created).body).not.toHaveProperty('targetListsIds');
  });

  it('looks only for records with the confirmed address', async () => {
    await commandsOf({}, {}, [], { optIn });
    expect(searched.length).toBe(2);
    for (const where of searched) expect(where).not.toContain('phoneNumber');
    await commandsOf({});
    for (const where of searched) expect(where).toContain('phoneNumber');
  });

  it('subscribes the lead that was created before the confirmation', async () => {
    const [created, linked] = await commandsOf({}, {}, [], { optIn, isReplay: true });
    expect(created).toMatchObject({ name: 'create', commandId: 'opt-in/opt-in' });
    expect(linked).toMatchObject({ name: 'link', id: 'made', body: { ids: ['list'] } });
  });

  it('subscribes a record again that had opted out of the target list', async () => {
    const linked = { targetListsColumns: { list: { optedOut: true } } };
    const update = {
      name: 'update',
      id: 'c',
      body: { targetListsColumns: { list: { optedOut: false } } },
    };
    const confirmed = await commandsOf({}, { Contact: 'c' }, [], { optIn, linked });
    expect(confirmed[1]).toMatchObject(update);
    expect(await commandsOf({}, { Contact: 'c' }, [], { linked })).toHaveLength(1);
    const unproven = { linked, optIn: { ...optIn, endsOptOut: false } };
    expect(await commandsOf({}, { Contact: 'c' }, [], unproven)).toHaveLength(1);
  });
});
