import { beforeEach, expect, it } from 'vitest';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import { NewRecords } from './new-records.ts';

let projected: bigint;
let records: NewRecords<{ kind: 'new'; state: RecordState; offset: bigint | undefined }>;

beforeEach(() => {
  projected = 0n;
  records = new NewRecords(() => projected);
});

function aRecord(id: string): RecordState {
  return { entityType: 'Contact', id, version: 1, deleted: false, values: {} };
}

function expectNew(state: RecordState): void {
  records.expect(state.id, { kind: 'new', state, offset: undefined });
}

/** Writes all ids in one batch, which starts at this offset. */
function write(ids: readonly string[], from: bigint): void {
  const states = ids.map(aRecord);
  for (const state of states) expectNew(state);
  for (const [index, state] of states.entries()) {
    const offset = from + BigInt(index);
    records.confirm(state.id, { kind: 'new', state, offset }, offset);
  }
}

const known = (ids: readonly string[]) => ids.filter((id) => records.get(id) !== undefined);

it('keeps any number of records that Postgres lacks', () => {
  write(['a', 'b'], 0n);
  write(['c'], 2n);
  write(['d'], 3n);
  projected = 1n;
  write(['e'], 4n);

  expect(known(['a', 'b', 'c', 'd', 'e'])).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(records.get('b')).toEqual({ kind: 'new', state: aRecord('b'), offset: 1n });
});

it('drops records already in Postgres when new records are added', () => {
  write(['a', 'b'], 0n);
  projected = 2n;
  write(['c'], 2n);
  expect(known(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
  write(['d'], 3n);

  expect(known(['a', 'b', 'c', 'd'])).toEqual(['c', 'd']);
  expect(records.size).toBe(2);
  expect([...records.values()].map(({ offset }) => offset)).toEqual([2n, 3n]);
});

it('keeps records whose events are being written to the log', () => {
  projected = 9n;
  for (const id of ['a', 'b', 'c']) expectNew(aRecord(id));

  expect(records.get('a')).toEqual({ kind: 'new', state: aRecord('a'), offset: undefined });
  expect(known(['a', 'b', 'c'])).toEqual(['a', 'b', 'c']);
});

it('removes a single record or all records', () => {
  write(['a', 'b'], 0n);
  write(['c'], 2n);
  records.delete('a');
  expect(known(['a', 'b', 'c'])).toEqual(['b', 'c']);
  records.clear();
  expect(records.size).toBe(0);
});
