import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type {
  AttributeValue,
  AttributeValues,
} from '../../../shared/domain/value/attribute-values.ts';
import { aWriter, commandContext } from '../../../test/support/builders/command-context.ts';
import { unrepeated } from '../owner/command.ts';
import { type ConvertedLinks, prepareConvertedLinks } from './link-converted.ts';

const { entity } = createDirectory(stockDefinitions);
const actor = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'regular', teamIds: [] },
  [],
);
const whole = { Account: 'a', Contact: 'c', Opportunity: 'o' };
const attended = { leadsIds: ['l', 'm'], contactsIds: ['x'], contactsNames: { x: 'X' } };

/** Returns the changed values of a record after the lead `l` was converted. */
async function convert(name: string, values: AttributeValues, records: ConvertedLinks['records']) {
  const model = entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  const request = {
    actor,
    model,
    body: { leadId: 'l', records },
    id: 'x',
    conditions: {},
    identity: unrepeated,
    deadline: 0,
  };
  const decide = await prepareConvertedLinks(request, commandContext({ resolveLinks: nameAll }));
  const state = { entityType: name, id: 'x', version: 1, deleted: false, values };
  const decision = decide(state, aWriter);
  const changed = decision?.changes.filter(({ before, after }) => before !== after) ?? [];
  return Object.fromEntries(changed.map(({ attribute, after }) => [attribute, after]));
}

/** Uses the id in capitals as the name of each record. */
async function nameAll({ values }: { readonly values: AttributeValues }) {
  const named = Object.entries(values).flatMap(([attribute, value]): [string, AttributeValue][] => {
    if (attribute === 'parentId') return [['parentName', String(value).toUpperCase()]];
    if (!Array.isArray(value)) return [];
    const names = value.map((id) => [String(id), String(id).toUpperCase()] as const);
    return [[attribute.replace(/Ids$/, 'Names'), Object.fromEntries(names)]];
  });
  return { unreadable: [], values: Object.fromEntries(named) };
}

describe('a record linked to a converted lead', () => {
  it('gets the contact as an additional participant', async () => {
    const about = { parentType: 'Case', parentId: 'k' };
    expect(await convert('Call', { ...attended, ...about }, whole)).toEqual({
      contactsIds: ['x', 'c'],
      contactsNames: { x: 'X', c: 'C' },
      contactsColumns: { x: { status: 'None' }, c: { status: 'None' } },
    });
  });

  it('replaces the lead as its parent with the opportunity, the account or the contact', async () => {
    const lead = { parentType: 'Lead', parentId: 'l', parentName: 'L' };
    expect(await convert('Meeting', lead, whole)).toEqual({
      parentType: 'Opportunity',
      parentId: 'o',
      parentName: 'O',
    });
    const { Opportunity: _, ...company } = whole;
    expect(await convert('Meeting', lead, company)).toMatchObject({ parentId: 'a' });
    expect(await convert('Meeting', lead, { Contact: 'c' })).toMatchObject({
      parentType: 'Contact',
      parentId: 'c',
    });
    expect(await convert('Meeting', lead, {})).toEqual({});
  });

  it('gets a parent if it has none and the lead was a participant', async () => {
    expect(await convert('Meeting', attended, whole)).toMatchObject({ parentId: 'o' });
    expect(await convert('Meeting', attended, { Contact: 'c' })).not.toHaveProperty('parentId');
    expect(await convert('Meeting', { leadsIds: ['m'] }, whole)).toEqual({});
  });

  it('is linked to all created records if it is a document', async () => {
    expect(await convert('Document', { leadsIds: ['l'] }, whole)).toMatchObject({
      accountsIds: ['a'],
      contactsIds: ['c'],
      opportunitiesIds: ['o'],
      opportunitiesNames: { o: 'O' },
    });
  });

  it('stays unchanged on a repeat and after its link to the lead is removed', async () => {
    const done = {
      leadsIds: ['l'],
      contactsIds: ['c'],
      contactsNames: { c: 'C' },
      contactsColumns: { c: { status: 'None' } },
      parentType: 'Opportunity',
      parentId: 'o',
    };
    expect(await convert('Meeting', done, whole)).toEqual({});
    expect(await convert('Document', { leadsIds: [] }, whole)).toEqual({});
  });
});
