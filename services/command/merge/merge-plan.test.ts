import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { addedBy, overfullGroups, unite } from './merge-plan.ts';

const { entity } = createDirectory(stockDefinitions);
const [contact, aCase] = [entity('Contact'), entity('Case')];
if (contact === undefined || aCase === undefined) throw new Error('no Contact, or no Case');

const email = (address: string, primary = false) => ({
  emailAddress: address,
  lower: address.toLowerCase(),
  primary,
  optOut: false,
  invalid: false,
});
const target: AttributeValues = {
  emailAddress: 'Ann@x.co',
  emailAddressData: [email('Ann@x.co', true)],
  accountsIds: ['a'],
  accountsNames: { a: 'A' },
  accountsColumns: { a: { role: 'CEO' } },
  teamsIds: ['t'],
};
const source: AttributeValues = {
  emailAddress: 'b@x.co',
  emailAddressData: [email('b@x.co', true), email('ann@x.co')],
  accountsIds: ['a', 'b', 's'],
  accountsNames: { a: 'A', b: 'B', s: 'S' },
  accountsColumns: { a: { role: 'Clerk' }, b: { role: 'Owner' }, s: {} },
  teamsIds: ['secret'],
  description: 'stays behind',
};

const united = (after: AttributeValues = {}, sources = [source]) =>
  unite(contact, { current: target, after, sources, gone: ['s'] });

describe('the sources of a merge', () => {
  it('append their addresses to those of the target without duplicates', () => {
    expect(united()).toMatchObject({
      emailAddress: 'Ann@x.co',
      emailAddressData: [email('Ann@x.co', true), email('b@x.co')],
    });
  });

  it('provide an address if the target has none and the client chose none', () => {
    const empty = { emailAddress: null, emailAddressData: [] };
    expect(united(empty)).toMatchObject({ emailAddress: 'b@x.co' });
    const chosen = { emailAddress: 'c@x.co', emailAddressData: [email('c@x.co', true)] };
    expect(united(chosen)).toMatchObject({
      emailAddress: 'c@x.co',
      emailAddressData: [email('c@x.co', true), email('b@x.co'), email('ann@x.co')],
    });
  });

  it('add their teams and links with columns but no links to the merged records', () => {
    const { accountsIds, accountsNames, accountsColumns, teamsIds, ...others } = united();
    expect(accountsIds).toEqual(['a', 'b']);
    expect(accountsNames).toEqual({ a: 'A', b: 'B' });
    expect(accountsColumns).toEqual({ a: { role: 'CEO' }, b: { role: 'Owner' } });
    expect(teamsIds).toEqual(['t', 'secret']);
    expect(others).not.toHaveProperty('description');
  });

  it('do not change teams that the client chose', () => {
    expect(united({ teamsIds: ['t'] })).toMatchObject({ teamsIds: ['t'] });
  });

  it('add files with their names and types', () => {
    const file = (id: string) => ({
      attachmentsIds: [id],
      attachmentsNames: { [id]: `${id}.txt` },
      attachmentsTypes: { [id]: 'text/plain' },
    });
    const files = unite(aCase, { current: file('f'), after: {}, sources: [file('g')], gone: [] });
    expect(files).toEqual({
      attachmentsIds: ['f', 'g'],
      attachmentsNames: { f: 'f.txt', g: 'g.txt' },
      attachmentsTypes: { f: 'text/plain', g: 'text/plain' },
    });
  });

  it('add only ids and names to a link without columns', () => {
    const linked = { contactsIds: ['c'], contactsNames: { c: 'C' } };
    const merged = unite(aCase, { current: {}, after: {}, sources: [linked], gone: [] });
    expect(merged).toEqual(linked);
  });

  it('change nothing if they add nothing', () => {
    expect(united({}, [])).toEqual({});
    expect(united({ title: 'x' }, [{ accountsIds: ['a'] }])).toEqual({ title: 'x' });
  });

  it('send only the attributes that they add', () => {
    const state = { entityType: 'Contact', id: 's', version: 1, deleted: false, values: source };
    expect(Object.keys(addedBy(contact, state)).toSorted()).toEqual([
      'accountsColumns',
      'accountsIds',
      'accountsNames',
      'emailAddressData',
      'teamsIds',
    ]);
  });

  it('are rejected if they have more addresses in total than the field allows', () => {
    const many = Array.from({ length: 10 }, (_, index) => email(`${index}@x.co`, index === 0));
    const after = united({}, [{ emailAddressData: many }]);
    expect(overfullGroups(contact, after).map(({ field }) => field)).toEqual(['emailAddress']);
    expect(overfullGroups(contact, united())).toEqual([]);
  });
});
