import { expect } from 'vitest';
import { attributesOf, type Scope } from './access-attributes.ts';
import { idsOf } from './access-conditions.ts';
import { expectRows, listed, pick } from './access-list-checks.ts';
import {
  isOpen,
  levelOf,
  mayRead,
  type StoredRecord,
  seesStream,
  shownOf,
  type Viewer,
} from './access-model.ts';
import type { Reader } from './access-reader.ts';

/** Returns the status if the viewer may not read the record: 404 if it is deleted. */
export function readRefusal(viewer: Viewer, record: StoredRecord): number | undefined {
  if (levelOf(viewer, record.scope, 'read') === 'no') return 403;
  if (mayRead(viewer, record)) return undefined;
  return record.deleted ? 404 : 403;
}

export async function checkSingle(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const record = random.pick(world.records);
  const path = `/${record.scope}/${record.id}`;
  const { status, body } = await reader.read(path);
  expect(status, path).toBe(readRefusal(viewer, record) ?? 200);
  if (status !== 200) return;
  const shown = shownOf(viewer, record, world.records);
  expect(pick(body, attributesOf(record.scope)), path).toEqual(shown);
  const followers = followersOf(reader, record);
  expect(new Set(body.followersIds), path).toEqual(new Set(followers));
  expect(body.isFollowed, path).toBe(followers.includes(viewer.id));
  const list = await reader.read(`${path}/followers`);
  expect(list.status, path).toBe(seesStream(viewer, record) ? 200 : 403);
  if (list.status === 200) expect(list.body.total, path).toBe(followers.length);
}

/**
 * The creator and the assigned user follow a record until they unfollow it. Returns only users visible to the
 * reader.
 */
export function followersOf({ viewer, world }: Reader, record: StoredRecord): readonly string[] {
  if (!seesStream(viewer, record)) return [];
  return world.members
    .map(({ id }) => id)
    .filter((id) => {
      const choice = world.followChoice(id, record.id);
      if (choice !== undefined) return choice;
      const mayKnow = (field: string) => id === viewer.id || isOpen(viewer, record.scope, field);
      return (
        (record.values['createdById'] === id && mayKnow('createdBy')) ||
        (record.values['assignedUserId'] === id && mayKnow('assignedUser'))
      );
    });
}

interface LinkCase {
  readonly scope: Scope;
  readonly link: string;
  readonly target: Scope;
  /** The side whose field stores the ids. */
  readonly heldBy: 'self' | 'other';
  readonly field: string;
}

const ownLinks = (scope: Scope, links: Readonly<Record<string, Scope>>): readonly LinkCase[] =>
  Object.entries(links).map(([link, target]) => ({
    scope,
    link,
    target,
    heldBy: 'self',
    field: link,
  }));
const foreignLinks = (
  scope: Scope,
  links: Readonly<Record<string, readonly [Scope, string]>>,
): readonly LinkCase[] =>
  Object.entries(links).map(([link, [target, field]]) => ({
    scope,
    link,
    target,
    heldBy: 'other',
    field,
  }));

const linkCases: readonly LinkCase[] = [
  ...ownLinks('Contact', { account: 'Account', accounts: 'Account' }),
  ...ownLinks('Case', { account: 'Account', contact: 'Contact', contacts: 'Contact' }),
  ...ownLinks('Task', { account: 'Account', contact: 'Contact' }),
  ...foreignLinks('Account', {
    contacts: ['Contact', 'accounts'],
    contactsPrimary: ['Contact', 'account'],
    cases: ['Case', 'account'],
    tasks: ['Task', 'parent'],
    tasksPrimary: ['Task', 'account'],
  }),
  ...foreignLinks('Contact', {
    cases: ['Case', 'contacts'],
    casesPrimary: ['Case', 'contact'],
    tasks: ['Task', 'parent'],
    tasksPrimary: ['Task', 'contact'],
  }),
];

export async function checkLinked(reader: Reader): Promise<void> {
  const { random, viewer, world } = reader;
  const linkCase = random.pick(linkCases);
  const { scope, link, target, heldBy, field } = linkCase;
  const record = random.pick(world.records.filter((one) => one.scope === scope));
  const path = `/${scope}/${record.id}/${link}?maxSize=200&orderBy=id`;
  const { status, body } = await reader.read(path);
  const isLinkOpen = isOpen(viewer, heldBy === 'self' ? scope : target, field);
  const isClosed = !isLinkOpen || levelOf(viewer, target, 'read') === 'no';
  const refusals = [readRefusal(viewer, record), isClosed ? 403 : undefined].filter(
    (one) => one !== undefined,
  );
  expect(refusals.length === 0 ? [200] : refusals, path).toContain(status);
  if (status !== 200) return;
  const expected = listed(reader, target).filter((one) =>
    heldBy === 'self' ? idsOf(record, field).includes(one.id) : pointsTo(one, field, record),
  );
  expectRows(reader, { path, body, expected });
}

function pointsTo(one: StoredRecord, field: string, { id, scope }: StoredRecord): boolean {
  return (
    idsOf(one, field).includes(id) && (field !== 'parent' || one.values['parentType'] === scope)
  );
}
