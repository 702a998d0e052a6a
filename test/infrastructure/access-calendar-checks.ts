import { expect } from 'vitest';
import { start } from './access-fields.ts';
import { compareValues, listed } from './access-list-checks.ts';
import {
  calendarLevelOf,
  isOpen,
  levelOf,
  type StoredRecord,
  shownOf,
  timeOf,
} from './access-model.ts';
import type { Reader } from './access-reader.ts';

type Row = Readonly<Record<string, unknown>>;

const shown = ['name', 'status', 'assignedUserId', 'parentId', 'parentType', 'parentName'];

/** Compares the calendar of a user at random times with the tasks that are assigned to the user. */
export async function checkCalendar(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const user = random.chance(0.4) ? viewer : random.pick(world.members);
  const begin = start + random.int(1_000_000) * 1_000;
  const [from, to] = [timeOf(begin), timeOf(begin + (1 + random.int(500_000)) * 1_000)];
  const isOne = random.chance(0.5);
  const path = `/${isOne ? 'Activities' : 'Timeline'}?${new URLSearchParams({ from, to, userId: user.id })}`;
  const { status, body } = await reader.read(path);
  expect(status, path).toBe(maySee(reader, user) ? 200 : 403);
  if (status !== 200) return;
  const rows: readonly Row[] = isOne ? body : body[user.id];
  const expected = tasksOf(reader, user.id).filter((task) => {
    const [first, last] = timesOf(task);
    return first !== null && first < to && (first >= from || (last !== null && last > from));
  });
  expect(
    rows.map(({ id }) => id),
    path,
  ).toEqual(expected.map(({ id }) => id));
  for (const [index, task] of expected.entries()) {
    const values = shownOf(viewer, task, world.records);
    const row = rows[index] ?? {};
    expect(row['scope']).toBe('Task');
    for (const name of shown) {
      expect([path, task.id, name, row[name]]).toEqual([path, task.id, name, values[name] ?? null]);
    }
  }
}

function maySee(
  { viewer }: Reader,
  user: { readonly id: string; readonly teamIds: readonly string[] },
) {
  const hasScope = viewer.roles.some(({ data }) => data['Calendar'] === true);
  if (viewer.type !== 'admin' && !hasScope) return false;
  const level = calendarLevelOf(viewer);
  const isMate = user.teamIds.some((id) => viewer.teamIds.includes(id));
  return user.id === viewer.id || level === 'all' || (level === 'team' && isMate);
}

/** Returns the tasks in order of time. */
function tasksOf(reader: Reader, userId: string): readonly StoredRecord[] {
  const { viewer } = reader;
  const fields = ['assignedUser', 'dateStart', 'dateEnd'];
  const isClosed = fields.some((field) => !isOpen(viewer, 'Task', field));
  if (isClosed || levelOf(viewer, 'Task', 'read') === 'no') return [];
  return listed(reader, 'Task')
    .filter(({ values }) => values['assignedUserId'] === userId)
    .toSorted((one, other) => compareValues(timesOf(one)[0], timesOf(other)[0]));
}

/** Returns start and end; each defaults to the other. */
function timesOf({ values }: StoredRecord): readonly [string | null, string | null] {
  const [first, last] = [values['dateStart'] ?? null, values['dateEnd'] ?? null];
  const toText = (value: typeof first) => (value === null ? null : String(value));
  return [toText(first ?? last), toText(last ?? first)];
}
