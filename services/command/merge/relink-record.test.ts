import { describe, expect, it } from 'vitest';
import { buildActor } from '../../../shared/domain/access/actor.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aWriter, commandContext } from '../../../test/support/builders/command-context.ts';
import { unrepeated } from '../owner/command.ts';
import { prepareRelink } from './relink-record.ts';

const { entity } = createDirectory(stockDefinitions);
const actor = buildActor(
  { id: 'ann', name: 'Ann', userName: 'ann', type: 'regular', teamIds: [] },
  [],
);

/** Returns the changed values of a record after `s` and `r` of this type were merged into `t`. */
async function relink(name: string, entityType: string, values: AttributeValues) {
  const model = entity(name);
  if (model === undefined) throw new Error(`no ${name}`);
  const body = { entityType, from: ['s', 'r'], to: 't' };
  const resolveLinks = async ({ values: input }: { readonly values: AttributeValues }) => ({
    unreadable: [],
    values: Object.fromEntries(
      Object.keys(input).flatMap((attribute): [string, AttributeValues | string][] => {
        if (attribute.endsWith('Ids')) return [[attribute.replace(/Ids$/, 'Names'), { t: 'T' }]];
        return attribute.endsWith('Id') ? [[attribute.replace(/Id$/, 'Name'), 'T']] : [];
      }),
    ),
  });
  const request = {
    actor,
    model,
    body,
    id: 'x',
    conditions: {},
    identity: unrepeated,
    deadline: 0,
  };
  const decide = await prepareRelink(request, commandContext({ resolveLinks }));
  const decision = decide(
    { entityType: name, id: 'x', version: 1, deleted: false, values },
    aWriter,
  );
  const changed = decision?.changes.filter(({ before, after }) => before !== after) ?? [];
  return Object.fromEntries(changed.map(({ attribute, after }) => [attribute, after]));
}

describe('a record that refers to a merged record', () => {
  it('refers to the target by id and name', async () => {
    const values = { accountId: 's', accountName: 'S', leadId: 'l' };
    expect(await relink('Case', 'Account', values)).toEqual({ accountId: 't', accountName: 'T' });
  });

  it('is linked to the target once with the columns of its first link', async () => {
    const values = {
      contactId: 's',
      contactName: 'S',
      contactsIds: ['s', 'a', 'r'],
      contactsNames: { s: 'S', a: 'A', r: 'R' },
      contactsColumns: { s: { role: 'Evaluator' }, a: { role: null }, r: { role: 'Other' } },
    };
    expect(await relink('Opportunity', 'Contact', values)).toMatchObject({
      contactId: 't',
      contactName: 'T',
      contactsIds: ['t', 'a'],
      contactsNames: { t: 'T', a: 'A' },
      contactsColumns: { t: { role: 'Evaluator' }, a: { role: null } },
    });
  });

  it('gets the target as its parent if the merged record was its parent', async () => {
    const child = { parentId: 's', parentType: 'Account', parentName: 'S' };
    expect(await relink('Task', 'Account', child)).toMatchObject({
      parentId: 't',
      parentName: 'T',
    });
    expect(await relink('Task', 'Account', { ...child, parentType: 'Lead' })).toEqual({});
  });

  it('stays unchanged if it refers to other records', async () => {
    expect(await relink('Case', 'Account', { accountId: 'a', accountName: 'A' })).toEqual({});
  });
});
