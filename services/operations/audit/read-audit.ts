import type { AccessDatabase } from '../../../shared/audit/access-tables.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { AuditEntry, AuditKind } from './audit-entry.ts';
import type { ChangeIndex, NotedChange } from './change-index.ts';
import { readSignIns } from './read-sign-ins.ts';
import { readChanges } from './told-changes.ts';

export interface AuditQuery {
  readonly kind: AuditKind | undefined;
  /** The id or name of who did it. */
  readonly user: string | undefined;
  /** Milliseconds since 1970, the first one included, the last one not. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The entry after which the page begins, by its place. */
  readonly after: AuditPlace | undefined;
  readonly maxSize: number;
}

/** Of a page's last entry: its time, and its number among sign-ins or changes. */
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
  /** For `after`; null on the last page. */
  readonly next: string | null;
}

/** What a change changed is read for those of the page alone. */
type Found = AuditPlace & { readonly entry: AuditEntry; readonly change?: NotedChange };

/** Sign-ins and changes of the directory together, the newest first. */
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
  const noted = wanted.flatMap(({ change }) => change ?? []);
  const told = await readChanges(database, noted);
  // The page ends before the first change that does not fit.
  const [unread] = noted.slice(told.count);
  const end = unread === undefined ? -1 : wanted.findIndex(({ change }) => change === unread);
  const page = end === -1 ? wanted : wanted.slice(0, end);
  const list = page.map(({ change, entry }) =>
    change === undefined ? entry : { ...entry, changes: told.changes.get(change.seq) ?? null },
  );
  const last = page.at(-1);
  return { list, next: found.length > page.length && last ? encodePlace(last) : null };
}

/** At the same time a change comes before a sign-in. */
function inOrder(one: AuditPlace, other: AuditPlace): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  if (one.source !== other.source) return one.source === 'c' ? -1 : 1;
  return other.number - one.number;
}

const placeForm = /^(\d{1,15})([cs])(\d{1,15})$/;

/** Undefined for a text that is none. */
export function readPlace(text: string): AuditPlace | undefined {
  const [, at, source, number] = placeForm.exec(text) ?? [];
  if (source !== 'c' && source !== 's') return undefined;
  return { atMs: Number(at), source, number: Number(number) };
}

const encodePlace = ({ atMs, source, number }: AuditPlace): string => `${atMs}${source}${number}`;

function findChanges(query: AuditQuery, limit: number, { changes, directory }: AuditDeps) {
  const { kind, user, from, to, after } = query;
  if (kind === 'signIn') return [];
  // Those of the same time came before a sign-in.
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
  // All of the same time come after a change.
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

function ofChange(change: NotedChange, directory: AuditDeps['directory']): AuditEntry {
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

/** Of a deleted one too. A second factor has the name of its user, whose id it has, and a webhook that of its event. */
function nameOf(
  entityType: string,
  id: string,
  directory: Pick<Directory, 'record'>,
): string | null {
  const own = directory.record(entityType, id)?.values;
  const name = own?.['name'] ?? own?.['event'] ?? directory.record('User', id)?.values['name'];
  return typeof name === 'string' ? name : null;
}
