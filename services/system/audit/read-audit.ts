import type { AccessDatabase } from '../../../shared/audit/access-tables.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { AuditEntry, AuditKind } from './audit-entry.ts';
import type { ChangeIndex, IndexedChange } from './change-index.ts';
import { readChanges } from './read-changes.ts';
import { readSignIns } from './read-sign-ins.ts';

export interface AuditQuery {
  readonly kind: AuditKind | undefined;
  /** The id or name of the acting user. */
  readonly user: string | undefined;
  /** Milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The place of the entry after which the page begins. */
  readonly after: AuditPlace | undefined;
  readonly maxSize: number;
}

/** The place of an entry: its time, and its number among the sign-ins (`s`) or changes (`c`). */
export interface AuditPlace {
  readonly atMs: number;
  readonly source: 's' | 'c';
  readonly number: number;
}

interface AuditDeps {
  readonly directory: Pick<Directory, 'record' | 'userByName'>;
  readonly changes: Pick<ChangeIndex, 'find'>;
}

export interface Audit {
  readonly list: readonly AuditEntry[];
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null;
}

/** The attributes of a change are read later, and only for the changes of the page. */
type Found = AuditPlace & { readonly entry: AuditEntry; readonly change?: IndexedChange };

/** Reads sign-ins and changes of the directory together, newest first. */
export async function readAudit(
  database: AccessDatabase,
  query: AuditQuery,
  deps: AuditDeps,
): Promise<Audit> {
  const limit = query.maxSize + 1;
  const found = [
    ...findChanges(query, limit, deps),
    ...(await findSignIns(database, query, limit, deps)),
  ]
    .toSorted(inOrder)
    .slice(0, limit);
  const wanted = found.slice(0, query.maxSize);
  const indexed = wanted.flatMap(({ change }) => change ?? []);
  const read = await readChanges(database, indexed);
  // The page ends before the first change that does not fit.
  const [unread] = indexed.slice(read.count);
  const end = unread === undefined ? -1 : wanted.findIndex(({ change }) => change === unread);
  const page = end === -1 ? wanted : wanted.slice(0, end);
  const list = page.map(({ change, entry }) =>
    change === undefined ? entry : { ...entry, changes: read.changes.get(change.seq) ?? null },
  );
  const last = page.at(-1);
  return { list, next: found.length > page.length && last ? encodePlace(last) : null };
}

/** At equal times, changes come before sign-ins. */
function inOrder(one: AuditPlace, other: AuditPlace): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  if (one.source !== other.source) return one.source === 'c' ? -1 : 1;
  return other.number - one.number;
}

const placeForm = /^(\d{1,15})([cs])(\d{1,15})$/;

/** Returns undefined if the text is not a place. */
export function readPlace(text: string): AuditPlace | undefined {
  const [, at, source, number] = placeForm.exec(text) ?? [];
  if (source !== 'c' && source !== 's') return undefined;
  return { atMs: Number(at), source, number: Number(number) };
}

const encodePlace = ({ atMs, source, number }: AuditPlace): string => `${atMs}${source}${number}`;

function findChanges(query: AuditQuery, limit: number, { changes, directory }: AuditDeps) {
  const { kind, user, from, to, after } = query;
  if (kind === 'signIn') return [];
  // After a sign-in, all changes of the same time have been listed.
  const seq = after?.source === 's' ? 0 : (after?.number ?? 0);
  const before = after && { atMs: after.atMs, seq };
  const actorId = user === undefined ? undefined : idOf(user, directory);
  return changes.find({ kind, actorId, from, to, before, limit }).map((change): Found => {
    const { atMs, seq: number } = change;
    return { atMs, source: 'c', number, change, entry: ofChange(change, directory) };
  });
}

const idOf = (user: string, directory: AuditDeps['directory']): string =>
  directory.userByName(user)?.id ?? user;

async function findSignIns(
  database: AccessDatabase,
  { kind, user, from, to, after }: AuditQuery,
  limit: number,
  { directory }: AuditDeps,
): Promise<readonly Found[]> {
  if (kind !== undefined && kind !== 'signIn') return [];
  // After a change, no sign-in of the same time has been listed.
  const id = after?.source === 'c' ? Number.MAX_SAFE_INTEGER : (after?.number ?? 0);
  const signIns = await readSignIns(database, {
    user: user === undefined ? undefined : { id: idOf(user, directory), name: user },
    from,
    to,
    before: after && { atMs: after.atMs, id },
    limit,
  });
  return signIns.map((signIn): Found => {
    const { atMs, userId, userName, method, address, reason, attempts, requestId } = signIn;
    return {
      atMs,
      source: 's',
      number: signIn.id,
      entry: {
        id: `s${signIn.id}`,
        at: new Date(atMs).toISOString(),
        kind: 'signIn',
        action: reason === null ? 'signedIn' : 'refused',
        byId: userId,
        byName: userId === null ? null : nameOf('User', userId, directory),
        requestId,
        record: null,
        changes: null,
        signIn: { userName, method, address, reason, attempts },
      },
    };
  });
}

function ofChange(change: IndexedChange, directory: AuditDeps['directory']): AuditEntry {
  const {
    seq,
    atMs,
    kind,
    action,
    entityType,
    recordId: id,
    version,
    actorId,
    administratorId,
  } = change;
  return {
    id: `c${seq}`,
    at: new Date(atMs).toISOString(),
    kind,
    action,
    byId: actorId,
    byName: nameOf('User', actorId, directory),
    ...(administratorId !== undefined && {
      administratorId,
      administratorName: nameOf('User', administratorId, directory),
    }),
    requestId: change.requestId,
    record: { entityType, id, name: nameOf(entityType, id, directory), version },
    changes: null,
    signIn: null,
  };
}

/**
 * Returns the name of a record, even if it is deleted. A second factor has the id of its user and is named after it, a
 * webhook is named after its event.
 */
function nameOf(
  entityType: string,
  id: string,
  directory: Pick<Directory, 'record'>,
): string | null {
  const own = directory.record(entityType, id)?.values;
  const name = own?.['name'] ?? own?.['event'] ?? directory.record('User', id)?.values['name'];
  return typeof name === 'string' ? name : null;
}
