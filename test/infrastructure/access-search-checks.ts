import { expect } from 'vitest';
import type { Scope } from './access-attributes.ts';
import { teamIds } from './access-fields.ts';
import { compareValues, expectRows, listed } from './access-list-checks.ts';
import { isOpen, levelOf, type StoredRecord } from './access-model.ts';
import { maySeeTeam, type Reader, scopes } from './access-reader.ts';
import { followersOf } from './access-record-checks.ts';

type Row = Readonly<Record<string, unknown>>;

/** Checks of searches. */
export const searchChecks: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  'a named filter': checkNamedFilter,
  'a search': checkSearch,
  'a search everywhere': checkSearchEverywhere,
  'users and teams': checkDirectory,
};

async function checkNamedFilter(reader: Reader): Promise<void> {
  const { random, viewer } = reader;
  const scope = random.pick(scopes);
  const filter = random.pick([
    'primaryFilter=followed',
    'boolFilterList[]=onlyMy',
    'boolFilterList[]=shared',
  ]);
  const path = `/${scope}?maxSize=200&orderBy=id&${filter}`;
  const { status, body } = await reader.read(path);
  const field = filter.endsWith('onlyMy')
    ? 'assignedUser'
    : filter.endsWith('shared')
      ? 'teams'
      : 'name';
  const isClosed = !filter.endsWith('followed') && !isOpen(viewer, scope, field);
  const refusal = levelOf(viewer, scope, 'read') === 'no' ? 403 : isClosed ? 400 : undefined;
  expect(status, path).toBe(refusal ?? 200);
  if (refusal !== undefined) return;
  const expected = listed(reader, scope).filter((record) => {
    if (filter.endsWith('onlyMy')) return record.values['assignedUserId'] === viewer.id;
    if (filter.endsWith('followed')) return followersOf(reader, record).includes(viewer.id);
    return (record.values['teamsIds'] as readonly string[]).some((id) =>
      viewer.teamIds.includes(id),
    );
  });
  expectRows(reader, { path, body, expected });
}

const searchedFields: Readonly<Record<Scope, readonly string[]>> = {
  Account: ['name', 'emailAddress'],
  Contact: ['name', 'emailAddress', 'lastName'],
  Case: ['name'],
  Task: ['name'],
  Opportunity: ['name'],
};

/** Returns the first letters of a random stored text. */
function drawText({ random, world }: Reader): string {
  return random.pick([...world.marks.keys()]).slice(0, 2 + random.int(6));
}

function isFound({ viewer }: Reader, { scope, values }: StoredRecord, text: string): boolean {
  const textsOf = (name: string): readonly unknown[] => {
    if (name !== 'emailAddress') return [values[name]];
    return ((values['emailAddressData'] ?? []) as readonly Row[]).map((one) => one[name]);
  };
  return searchedFields[scope].some(
    (name) =>
      isOpen(viewer, scope, name) &&
      textsOf(name).some((found) => String(found ?? '').startsWith(text)),
  );
}

async function checkSearch(reader: Reader): Promise<void> {
  const { random, viewer } = reader;
  const [scope, text] = [random.pick(scopes), drawText(reader)];
  const path = `/${scope}?maxSize=200&orderBy=id&textFilter=${text}`;
  const { status, body } = await reader.read(path);
  const refusal = levelOf(viewer, scope, 'read') === 'no' ? 403 : undefined;
  expect(status, path).toBe(refusal ?? 200);
  const expected = listed(reader, scope).filter((record) => isFound(reader, record, text));
  if (refusal === undefined) expectRows(reader, { path, body, expected });
}

async function checkSearchEverywhere(reader: Reader): Promise<void> {
  const { viewer } = reader;
  const text = drawText(reader);
  const { status, body } = await reader.read(`/GlobalSearch?maxSize=200&q=${text}`);
  expect(status).toBe(200);
  const expected = scopes
    .filter((scope) => levelOf(viewer, scope, 'read') !== 'no')
    .flatMap((scope) => listed(reader, scope).filter((one) => isFound(reader, one, text)))
    .map(({ id, scope, values }) => ({
      id,
      name: isOpen(viewer, scope, 'name') ? (values['name'] ?? null) : null,
      _scope: scope,
    }));
  const byId = (one: Row, other: Row) => compareValues(one['id'], other['id']);
  const found: readonly Row[] = body.list;
  const shown = found.map(({ id, name, _scope }) => ({ id, name, _scope }));
  expect(shown.toSorted(byId), `everywhere ${text}`).toEqual(expected.toSorted(byId));
  // A hint reveals only what a read of the record does.
  for (const { id, _scope, hint, hintAttribute } of found) {
    if (hintAttribute === null) continue;
    const record = await reader.read(`/${_scope}/${id}`);
    expect(record.body[String(hintAttribute)], `hint of ${id}`).toBe(hint);
  }
}

async function checkDirectory(reader: Reader): Promise<void> {
  const { viewer, world } = reader;
  const level = levelOf(viewer, 'User', 'read');
  const users = world.members.filter(({ id, teamIds: ofUser }) => {
    const isShared = level === 'team' && ofUser.some((team) => viewer.teamIds.includes(team));
    return level === 'all' || (level !== 'no' && id === viewer.id) || isShared;
  });
  const isListed = ({ isActive, type }: (typeof users)[number]) =>
    viewer.type === 'admin' || (isActive && type !== 'api');
  await expectIds(reader, '/User?orderBy=id', level, users.filter(isListed));
  const teams = teamIds.filter((id) => maySeeTeam(viewer, id)).map((id) => ({ id }));
  await expectIds(reader, '/Team?orderBy=id', levelOf(viewer, 'Team', 'read'), teams);
}

async function expectIds(
  reader: Reader,
  path: string,
  level: string,
  expected: readonly { readonly id: string }[],
): Promise<void> {
  const { status, body } = await reader.read(path);
  expect(status, path).toBe(level === 'no' ? 403 : 200);
  if (status !== 200) return;
  const ids = expected.map(({ id }) => id).toSorted();
  expect(
    body.list.map(({ id }: Row) => id),
    path,
  ).toEqual(ids);
}
