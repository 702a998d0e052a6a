import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { emptyValue, toRecordBody } from './to-record-body.ts';

const contact = createDirectory(stockDefinitions).entity('Contact');
if (contact === undefined) throw new Error('no Contact');
const model = contact;

function bodyOf(values: AttributeValues) {
  const state = { entityType: 'Contact', id: 'c', version: 3, deleted: false, values };
  return toRecordBody(model, state, (type, id) => (id === 'gone' ? undefined : `${type} ${id}`));
}

describe('the body of a record', () => {
  it('starts with id, name and deleted, followed by all shown attributes in model order', () => {
    const shown = model.attributes.filter(({ isSecret }) => !isSecret).map(({ name }) => name);
    const first = ['id', 'name', 'deleted'];
    const others = shown.filter((name) => !first.includes(name));
    expect(Object.keys(bodyOf({}))).toEqual([...first, ...others]);
    expect(Object.keys(bodyOf({ createdById: 'ann', title: 'Dr.', name: 'Eva' }))).toEqual(
      Object.keys(bodyOf({})),
    );
  });

  it('contains empty values for missing and null values', () => {
    const empty = model.attributes
      .filter(({ isSecret }) => !isSecret)
      .map((attribute) => [attribute.name, emptyValue(attribute)] as const);
    const expected = { id: 'c', deleted: false, ...Object.fromEntries(empty) };
    const nulls = Object.fromEntries(empty.map(([name]) => [name, null]));
    expect(bodyOf({})).toEqual(expected);
    expect(bodyOf(nulls)).toEqual(expected);
  });

  it('keeps false, zero and empty text', () => {
    expect(bodyOf({ doNotCall: false, title: '', description: '0' })).toMatchObject({
      doNotCall: false,
      title: '',
      description: '0',
    });
  });

  it('adds names from the directory that the record lacks', () => {
    expect(
      bodyOf({
        createdById: 'ann',
        modifiedById: 'gone',
        assignedUserId: 'bob',
        assignedUserName: 'Bob as of then',
        teamsIds: ['red', 'gone'],
      }),
    ).toMatchObject({
      createdByName: 'User ann',
      modifiedByName: null,
      assignedUserName: 'Bob as of then',
      teamsNames: { red: 'Team red', gone: null },
    });
  });
});
