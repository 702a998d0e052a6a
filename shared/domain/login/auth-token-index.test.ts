import { describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { RecordEventType } from '../record/record-event.ts';
import type { AttributeValues } from '../value/attribute-values.ts';

function directoryWith(...ids: readonly string[]) {
  const directory = createDirectory(stockDefinitions);
  const apply = (type: RecordEventType, recordId: string, values: AttributeValues) =>
    directory.apply(aCreation('AuthToken', values, { recordId, type, actorId: 'ann' }));
  for (const id of ids) {
    apply('Created', id, { userId: 'ann', tokenHash: `hash of ${id}`, usedAtMs: 1, issuedAtMs: 1 });
  }
  return { directory, apply };
}

describe('log-ins in the directory', () => {
  it('are found by hash and by user and reflect recorded uses', () => {
    const { directory, apply } = directoryWith('one', 'two');
    expect(directory.authTokenByHash('hash of two')).toMatchObject({ id: 'two', userId: 'ann' });
    apply('Updated', 'one', { usedAtMs: 5 });
    expect(directory.authTokensOf('ann').map(({ id, usedAtMs }) => [id, usedAtMs])).toEqual([
      ['one', 5],
      ['two', 1],
    ]);
    expect(directory.authTokensOf('bob')).toEqual([]);
  });

  it('are removed from memory when they end', () => {
    const { directory, apply } = directoryWith('one', 'two');
    apply('Deleted', 'one', {});
    expect(directory.authTokenByHash('hash of one')).toBeUndefined();
    expect(directory.record('AuthToken', 'one')).toBeUndefined();
    expect(directory.authTokensOf('ann').map(({ id }) => id)).toEqual(['two']);
  });

  it('determine when a user was last active, even after they end', () => {
    const { directory, apply } = directoryWith('one', 'two');
    apply('Updated', 'one', { usedAtMs: 1_000 });
    apply('Deleted', 'one', {});
    apply('Updated', 'two', { usedAtMs: 500 });
    expect(directory.lastAccessOf('ann')).toBe('1970-01-01 00:00:01');
    expect(directory.lastAccessOf('bob')).toBeNull();
  });

  it.each([
    ['a deactivation', 'Updated', { isActive: false }],
    ['a deletion', 'Deleted', {}],
  ] as const)('end permanently with %s of their user', (_, type, values) => {
    const { directory, apply } = directoryWith('one', 'two');
    const change = (how: RecordEventType, to: AttributeValues) =>
      directory.apply(aCreation('User', to, { recordId: 'ann', type: how }));
    change('Created', { isActive: true });
    change(type, values);
    // A log-in and a use that were in progress.
    apply('Created', 'late', { userId: 'ann', tokenHash: 'hash of late', usedAtMs: 1 });
    apply('Updated', 'one', { userId: 'ann', tokenHash: 'hash of one', usedAtMs: 5 });
    change('Updated', { isActive: true });
    apply('Updated', 'two', { usedAtMs: 6 });
    expect(directory.authTokensOf('ann')).toEqual([]);
    for (const id of ['one', 'two', 'late']) {
      expect(directory.authTokenByHash(`hash of ${id}`)).toBeUndefined();
      expect(directory.record('AuthToken', id)).toBeUndefined();
    }
    apply('Created', 'new', { userId: 'ann', tokenHash: 'hash of new', usedAtMs: 7 });
    expect(directory.authTokenByHash('hash of new')).toMatchObject({ id: 'new' });
  });

  it('do not change the revision of the directory', () => {
    expect(directoryWith('one', 'two').directory.revision()).toBe(0);
  });
});
