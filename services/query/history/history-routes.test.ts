import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import {
  type Change,
  type RecordEvent,
  restoration,
} from '../../../shared/domain/record/record-event.ts';
import { toHistoryEntry } from './history-routes.ts';

const model = createDirectory(stockDefinitions).entity('Contact');

function entry(
  type: RecordEvent['type'],
  changes: readonly Change[],
  hidesMaker = false,
  administratorId?: string,
) {
  const event: RecordEvent = {
    eventId: 'e',
    entityType: 'Contact',
    recordId: 'c1',
    version: 3,
    type,
    occurredAt: Date.UTC(2030, 0, 2, 3, 4, 5, 678),
    actorId: 'u1',
    ...(administratorId !== undefined && { administratorId }),
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: null, teamIds: [] },
    changes,
  };
  return toHistoryEntry(event, {
    shown: (name) => (name === 'title' ? undefined : model?.attribute.get(name)),
    madeBy: ({ actorId }) => (hidesMaker ? null : actorId),
    userName: (id) => (id === 'u1' ? 'Ann' : null),
  });
}

describe('a history entry', () => {
  it('contains version, type, time and user', () => {
    expect(entry('Deleted', [])).toEqual({
      version: 3,
      type: 'deleted',
      at: '2030-01-02 03:04:05',
      byId: 'u1',
      byName: 'Ann',
      changes: [],
    });
  });

  it('shows that a record was restored, without changes to its attributes', () => {
    expect(entry('Updated', [restoration])).toMatchObject({ type: 'restored', changes: [] });
  });

  it('omits the user for readers who may not see that field', () => {
    expect(entry('Updated', [], true)).toMatchObject({ byId: null, byName: null });
  });

  it('names the administrator only to readers who may see the user', () => {
    const administrator = { administratorId: 'boss', administratorName: null };
    expect(entry('Updated', [], false, 'boss')).toMatchObject({ byId: 'u1', ...administrator });
    expect(entry('Updated', [], true, 'boss')).not.toHaveProperty('administratorId');
    expect(entry('Updated', [])).not.toHaveProperty('administratorId');
  });

  it('omits hidden attributes and unchanged values', () => {
    const { changes } = entry('Updated', [
      { attribute: 'firstName', before: 'A', after: 'B' },
      { attribute: 'lastName', before: 'L', after: 'L' },
      { attribute: 'title', before: 'x', after: 'y' },
      { attribute: 'removedField', before: null, after: 1 },
    ]);
    expect(changes).toEqual([{ attribute: 'firstName', before: 'A', after: 'B' }]);
  });

  it('never returns null for lists, groups and flags', () => {
    const { changes } = entry('Updated', [
      { attribute: 'doNotCall', before: null, after: true },
      { attribute: 'teamsIds', before: ['t1'], after: null },
      { attribute: 'teamsNames', before: { t1: 'Sales' }, after: null },
      { attribute: 'phoneNumberData', before: null, after: [] },
      { attribute: 'description', before: 'x', after: null },
    ]);
    expect(changes).toEqual([
      { attribute: 'doNotCall', before: false, after: true },
      { attribute: 'teamsIds', before: ['t1'], after: [] },
      { attribute: 'teamsNames', before: { t1: 'Sales' }, after: {} },
      { attribute: 'description', before: 'x', after: null },
    ]);
  });

  it('has no previous or empty values for a creation', () => {
    const { type, changes } = entry('Created', [
      { attribute: 'lastName', before: null, after: 'L' },
      { attribute: 'doNotCall', before: null, after: true },
      { attribute: 'emailAddressIsInvalid', before: null, after: false },
      { attribute: 'teamsIds', before: null, after: [] },
    ]);
    expect(type).toBe('created');
    expect(changes).toEqual([
      { attribute: 'lastName', before: null, after: 'L' },
      { attribute: 'doNotCall', before: null, after: true },
    ]);
  });
});
