import { describe, expect, it } from 'vitest';
import { evolve } from './evolve.ts';
import { type RecordEvent, restoration } from './record-event.ts';

const noon = Date.UTC(2026, 0, 2, 12);

function event(change: Partial<RecordEvent>): RecordEvent {
  return {
    eventId: 'e1',
    entityType: 'Contact',
    recordId: 'c1',
    version: 1,
    type: 'Created',
    occurredAt: noon,
    actorId: 'ann',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'ann', teamIds: [] },
    changes: [{ attribute: 'lastName', before: null, after: 'Byron' }],
    ...change,
  };
}

const created = evolve(undefined, event({}));

describe('a record after an event', () => {
  it('has a creator and a creation time, but no modifier yet', () => {
    expect(created).toMatchObject({ id: 'c1', version: 1, deleted: false });
    expect(created.values).toEqual({
      lastName: 'Byron',
      createdAt: '2026-01-02 12:00:00',
      createdById: 'ann',
      modifiedAt: '2026-01-02 12:00:00',
      modifiedById: null,
    });
  });

  it('keeps values that an update does not mention', () => {
    const changes = [{ attribute: 'title', before: null, after: 'Lady' }];
    const updated = evolve(
      created,
      event({ version: 2, type: 'Updated', actorId: 'bob', occurredAt: noon + 1000, changes }),
    );
    expect(updated.values).toMatchObject({
      lastName: 'Byron',
      title: 'Lady',
      createdById: 'ann',
      modifiedById: 'bob',
      modifiedAt: '2026-01-02 12:00:01',
    });
  });

  it('keeps its last values when deleted and can be restored', () => {
    const deleted = evolve(created, event({ version: 2, type: 'Deleted', changes: [] }));
    expect(deleted).toMatchObject({ deleted: true, version: 2 });
    expect(deleted.values['lastName']).toBe('Byron');
    const again = { version: 3, type: 'Updated', changes: [restoration], actorId: 'bob' } as const;
    const restored = evolve(deleted, event(again));
    expect(restored).toMatchObject({ deleted: false, version: 3 });
    expect(restored.values).toMatchObject({ lastName: 'Byron', modifiedById: 'bob' });
    expect(restored.values).not.toHaveProperty('deleted');
  });
});
