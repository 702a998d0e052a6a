import { describe, expect, it } from 'vitest';
import { Refusal } from '../errors.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { decideCreate, decideDelete, decideRestore, decideUpdate, live } from './decide.ts';
import type { RecordState } from './record-state.ts';

function record(values: AttributeValues, deleted = false): RecordState {
  return { entityType: 'Contact', id: 'c1', version: 3, deleted, values };
}

describe('a record', () => {
  it('is created once with every non-null value', () => {
    expect(
      decideCreate(undefined, { lastName: 'Lovelace', title: null, doNotCall: false }),
    ).toEqual({
      type: 'Created',
      changes: [
        { attribute: 'lastName', before: null, after: 'Lovelace' },
        { attribute: 'doNotCall', before: null, after: false },
      ],
      values: { lastName: 'Lovelace', title: null, doNotCall: false },
    });
    expect(() => decideCreate(record({}), {})).toThrow(Refusal);
  });

  it('omits empty values from the creation event', () => {
    const values = { lastName: 'Lovelace', title: null, doNotCall: false, teamsIds: ['t1'] };
    const empty = { doNotCall: false, teamsIds: [], accountsIds: [] };
    expect(decideCreate(undefined, values, empty)).toEqual({
      type: 'Created',
      changes: [
        { attribute: 'lastName', before: null, after: 'Lovelace' },
        { attribute: 'teamsIds', before: null, after: ['t1'] },
      ],
      values,
    });
  });

  it('is updated only with changed values, each with its old value', () => {
    const state = record({ lastName: 'Byron', title: 'Dr', teamsIds: ['t1'] });
    const wanted = { lastName: 'Lovelace', title: 'Dr', teamsIds: ['t1'] };
    expect(decideUpdate(state, wanted)).toEqual({
      type: 'Updated',
      changes: [{ attribute: 'lastName', before: 'Byron', after: 'Lovelace' }],
    });
  });

  it('produces no event for an update that changes nothing', () => {
    expect(decideUpdate(record({ title: 'Dr' }), { title: 'Dr', lastName: null })).toBeUndefined();
  });

  it('includes all attributes of a changed field in the event', () => {
    const state = record({ addressCity: 'Rome', addressStreet: 'Via Appia 1' });
    const siblings = () => ['addressCity', 'addressStreet'];
    expect(decideUpdate(state, { addressCity: 'Paris' }, siblings)?.changes).toEqual([
      { attribute: 'addressCity', before: 'Rome', after: 'Paris' },
      { attribute: 'addressStreet', before: 'Via Appia 1', after: 'Via Appia 1' },
    ]);
  });

  it('is restored with its previous values after a deletion', () => {
    const deleted = record({ lastName: 'Lovelace' }, true);
    expect(decideRestore(deleted, 'c1')).toEqual({
      type: 'Updated',
      changes: [{ attribute: 'deleted', before: true, after: false }],
    });
    expect(() => decideRestore(record({}), 'c1')).toThrow('The record is not deleted.');
    expect(() => decideRestore(undefined, 'c1')).toThrow('Record c1 not found.');
  });

  it('is named in the error if it is missing or deleted', () => {
    for (const state of [undefined, record({}, true)]) {
      expect(() => live(state, 'c1')).toThrow('Record c1 not found.');
    }
    expect(() => live(undefined, 'c\n€')).toThrow('Record c?? not found.');
    const deleted = record({}, true);
    expect(() => decideUpdate(deleted, { title: 'Dr' })).toThrow('Record c1 not found.');
    expect(() => decideDelete(deleted)).toThrow('Record c1 not found.');
  });
});
