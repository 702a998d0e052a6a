import { describe, expect, it } from 'vitest';
import { aCreation, anUpdateAfter } from '../../../test/support/builders/record-event-builder.ts';
import { type ChangeQuery, createChangeIndex } from './change-index.ts';

const message = {};
const all: ChangeQuery = {
  kind: undefined,
  actorId: undefined,
  from: undefined,
  to: undefined,
  before: undefined,
  limit: 100,
};

function indexOf(times: readonly number[], maxChanges?: number) {
  const index = createChangeIndex(maxChanges);
  times.forEach((occurredAt, place) => {
    const parts = { recordId: `r${place + 1}`, occurredAt, actorId: `by${place % 2}` };
    index.add(aCreation(place % 2 === 0 ? 'Role' : 'Team', {}, parts), message);
  });
  const find = (query: Partial<ChangeQuery> = {}) =>
    index.find({ ...all, ...query }).map(({ recordId }) => recordId);
  return { index, find };
}

describe('the changes of the directory', () => {
  it('are sorted by time, newest first, even if they arrive out of order', () => {
    expect(indexOf([10, 30, 20, 20]).find()).toEqual(['r2', 'r4', 'r3', 'r1']);
  });

  it('are found by kind, user and time', () => {
    const { find } = indexOf([10, 20, 30, 40]);
    expect(find({ kind: 'team' })).toEqual(['r4', 'r2']);
    expect(find({ actorId: 'by0' })).toEqual(['r3', 'r1']);
    expect(find({ from: 20, to: 40 })).toEqual(['r3', 'r2']);
  });

  it('are found by the administrator who acted as another user', () => {
    const { index, find } = indexOf([10]);
    const parts = { recordId: 'r2', occurredAt: 20, actorId: 'by0', administratorId: 'boss' };
    index.add(aCreation('Role', {}, parts), message);
    expect(find({ actorId: 'by0' })).toEqual(['r2', 'r1']);
    expect(find({ actorId: 'boss' })).toEqual(['r2']);
    expect(index.find(all)[0]).toMatchObject({ actorId: 'by0', administratorId: 'boss' });
  });

  it('continue after a position without skipping changes with the same time', () => {
    const { index } = indexOf([10, 20, 20, 20, 30]);
    const found: string[] = [];
    let before: ChangeQuery['before'];
    for (;;) {
      const [next] = index.find({ ...all, limit: 1, before });
      if (next === undefined) break;
      found.push(next.recordId);
      before = next;
    }
    expect(found).toEqual(['r5', 'r4', 'r3', 'r2', 'r1']);
  });

  it('are limited in number, dropping the oldest first', () => {
    expect(indexOf([1, 2, 3, 4, 5, 6, 7, 8], 3).find()).toEqual(['r8', 'r7', 'r6']);
  });

  it('exclude sign-ins, uses of second-factor codes and unaudited entity types', () => {
    const index = createChangeIndex();
    const factor = aCreation('SecondFactor', { totpSecret: 'v1.sealed', lastStep: 1 });
    const parts = { changes: [{ attribute: 'lastStep', before: 1, after: 2 }] };
    for (const type of ['AuthToken', 'MassAction']) index.add(aCreation(type, {}), message);
    index.add(factor, message);
    index.add(anUpdateAfter(factor, {}, parts), message);
    expect(index.find(all)).toMatchObject([{ kind: 'user', action: 'created' }]);
  });

  it('contain the trace id of their request', () => {
    const index = createChangeIndex();
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: Buffer.from(`00-${trace}-00f067aa0ba902b7-01`) };
    index.add(aCreation('User', {}), { headers });
    expect(index.find(all)[0]?.requestId).toBe(trace);
  });
});
