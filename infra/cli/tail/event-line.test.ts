import { expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
  aRestorationAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { namesIn, toEventLine } from './event-line.ts';
import { createRecordNames } from './record-names.ts';

const written = { token: 'writer', sequence: 1 };
const directory = createDirectory(stockDefinitions);
directory.apply(aCreation('User', { userName: 'ann', name: 'Ann' }, { recordId: 'anns-id' }));
directory.apply(aCreation('User', { userName: 'bot' }, { recordId: 'bots-id' }));

const at = { recordId: 'a1', actorId: 'anns-id' };
const created = aCreation('Account', { name: 'A', isLocked: false, teamsIds: [] }, at);

/** Returns the lines of these events, read one after the other, without Postgres. */
function show(...events: readonly RecordEvent[]) {
  const names = createRecordNames(directory, () => Promise.reject(new Error('no Postgres')));
  const shown = events.map((event) => {
    names.learn(event);
    const context = { model: directory.entity(event.entityType), nameOf: names.of };
    const logged = { ...event, ...written };
    return { line: toEventLine(logged, context), names: namesIn(logged, context) };
  });
  return { lines: shown.map(({ line }) => line), names: shown.map((one) => one.names) };
}

it('shows names and ids of users and records but no empty values of a creation', () => {
  const renamed = anUpdateAfter(
    created,
    {},
    {
      changes: [{ attribute: 'name', before: 'A', after: 'B' }],
      actorId: 'bots-id',
    },
  );
  const { lines, names } = show(created, renamed);
  expect(lines).toEqual([
    '2030-01-02T03:04:05.000Z Account "A" (a1) v1 created by "Ann" (anns-id): name "A"',
    '2030-01-02T03:04:06.000Z Account "B" (a1) v2 updated by "bot" (bots-id): name "A" → "B"',
  ]);
  expect(names[1]).toEqual({ a1: 'B', 'bots-id': 'bot' });
});

it('shows the administrator who acted as the user', () => {
  const { lines, names } = show({ ...created, administratorId: 'bots-id' });
  expect(lines[0]).toContain('v1 created by "bot" (bots-id) as "Ann" (anns-id): name "A"');
  expect(names[0]).toMatchObject({ 'bots-id': 'bot' });
});

it('shows the last known name for deletions and restorations', () => {
  const deletion = aDeletionAfter(created);
  const { lines } = show(created, deletion, aRestorationAfter(deletion));
  expect(lines.slice(1)).toEqual([
    '2030-01-02T03:04:06.000Z Account "A" (a1) v2 deleted by user',
    '2030-01-02T03:04:07.000Z Account "A" (a1) v3 restored by user',
  ]);
});

it('shows names and ids of linked records and parents', () => {
  const { lines } = show(
    aCreation(
      'Task',
      {
        name: 'T',
        parentId: 'a1',
        parentType: 'Account',
        parentName: 'A',
        assignedUserId: 'anns-id',
        teamsIds: ['t1', 't2'],
        teamsNames: { t1: 'North' },
      },
      { ...at, recordId: 'task' },
    ),
  );
  expect(lines[0]).toContain(
    ': name "T", parentId "A" (a1), parentType "Account", assignedUserId "Ann" (anns-id), teamsIds ["North" (t1), t2]',
  );
});

it('prints each event as one readable line', () => {
  const many = Array.from({ length: 20 }, (_, index) => ({
    attribute: `custom${index}`,
    before: null,
    after: index,
  }));
  const updated = anUpdateAfter(
    created,
    {},
    {
      changes: [
        { attribute: 'name', before: 'A', after: 'A\nB\u001b[31m' },
        { attribute: 'teamsIds', before: ['a'], after: [] },
        { attribute: 'website', before: 'same', after: 'same' },
        { attribute: 'description', before: null, after: 'x'.repeat(100) },
        ...many,
      ],
    },
  );
  const [line = ''] = show(updated).lines;
  expect(line).toContain('Account "A\\nB\\u001b[31m" (a1) v2 updated by user: ');
  expect(line).toContain(`teamsIds [a] → [], description null → "${'x'.repeat(59)}…, custom0 null`);
  expect(line).not.toContain('website');
  expect(line).toMatch(/custom8 null → 8, and 11 more attributes$/);
  expect(line).not.toContain('\n');
});

it('shows raw values for a removed entity type', () => {
  const { lines } = show(aCreation('Gone', { name: 'G', xId: 'x1' }, { ...at, recordId: 'g1' }));
  expect(lines[0]).toContain('Gone "G" (g1) v1 created by "Ann" (anns-id): name "G", xId "x1"');
});
