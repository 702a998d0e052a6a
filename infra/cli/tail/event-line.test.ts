import { expect, it } from 'vitest';
import { aCreation, anUpdateAfter } from '../../../test/support/record-event-builder.ts';
import { toEventLine } from './event-line.ts';

const written = { token: 'writer', sequence: 1 };
const created = aCreation('Account', { name: 'A', isLocked: false, teamsIds: [], names: {} });

it('tells who changed what, without what a creation leaves empty', () => {
  expect(toEventLine({ ...created, ...written })).toBe(
    `2030-01-02T03:04:05.000Z Account ${created.recordId} v1 Created by admin: name null → "A"`,
  );
});

it('tells of what is emptied, and cuts what is long', () => {
  const updated = anUpdateAfter(
    created,
    {},
    {
      changes: [
        { attribute: 'teamsIds', before: ['a'], after: [] },
        { attribute: 'description', before: null, after: 'x'.repeat(100) },
      ],
    },
  );
  expect(toEventLine({ ...updated, ...written })).toContain(
    `v2 Updated by user: teamsIds ["a"] → [], description null → "${'x'.repeat(59)}…`,
  );
});
