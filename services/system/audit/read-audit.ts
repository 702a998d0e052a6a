import {
  type AccessDatabase,
  auditSchema,
  hasAccessTables,
  type SignIn,
  type SignInMethod,
} from '../../../shared/audit/access-tables.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { Change } from '../../../shared/domain/record/record-event.ts';
import type { SystemContext } from '../context.ts';
import {
  type ChangeKind,
  type changeActions,
  changeKinds,
  type IndexedChange,
} from './change-index.ts';
import { readChanges } from './read-changes.ts';

export const auditKinds = ['signIn', ...changeKinds] as const;
type AuditKind = 'signIn' | ChangeKind;

/** A change of permissions, or a sign-in. */
export interface AuditEntry {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
  readonly kind: AuditKind;
  readonly action: (typeof changeActions)[number] | 'signedIn' | 'refused';
  /** The acting user; for a sign-in, the user with the given name, or null if no user has it. */
  readonly byId: string | null;
  readonly byName: string | null;
  /** The administrator who was acting as this user. */
  readonly administratorId?: string;
  readonly administratorName?: string | null;
  /** The trace id of the request. */
  readonly requestId: string | null;
  /** Null for a sign-in. */
  readonly record: {
    readonly entityType: string;
    readonly id: string;
    readonly name: string | null;
    readonly version: number;
  } | null;
  /** Null for a sign-in, and for a change that is not in Postgres yet. */
  readonly changes: readonly Change[] | null;
  /** Null for a change. */
  readonly signIn: {
    readonly userName: string | null;
    readonly method: SignInMethod;
    readonly address: string;
    readonly reason: string | null;
    readonly attempts: number;
  } | null;
}

export interface AuditQuery {
  readonly kind: AuditKind | undefined;
  /** The id or name of the acting user. */
  readonly user: string | undefined;
  /** In milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** The place of the entry after which the page begins. */
  readonly after: AuditPlace | undefined;
  readonly maxSize: number;
}

/** The place of an entry: its time, and its number among the sign-ins (`s`) or changes (`c`). */
interface AuditPlace {
  readonly atMs: number;
  readonly source: 's' | 'c';
  readonly number: number;
}

/** The changed attributes are read later, and only for changes on the page. */
type Found = AuditPlace & { readonly entry: AuditEntry; readonly change?: IndexedChange };

/**
 * Reads sign-ins and changes of the directory together, newest first. `next` is the `after` value for the next page;
 * null on the last page.
 */
export async function readAudit(
  database: AccessDatabase,
  query: AuditQuery,
  context: SystemContext,
) {
  const found = [...findChanges(query, context), ...(await findSignIns(database, query, context))]
    .toSorted(inOrder)
    .slice(0, query.maxSize + 1);
  const wanted = found.slice(0, query.maxSize);
  const indexed = wanted.flatMap(({ change }) => change ?? []);
  const read = await readChanges(database, indexed);
  // The page ends before the first change that was not read because the page was full.
  const unread = indexed[read.count];
  const page = unread
    ? wanted.slice(
        0,
        wanted.findIndex(({ change }) => change === unread),
      )
    : wanted;
  const list = page.map(({ change, entry }) =>
    change === undefined ? entry : { ...entry, changes: read.changes.get(change.seq) ?? null },
  );
  const last = page.at(-1);
  return { list, next: found.length > page.length && last ? encodePlace(last) : null };
}

/** Orders entries newest first. At equal times, changes come before sign-ins. */
function inOrder(one: AuditPlace, other: AuditPlace): number {
  if (one.atMs !== other.atMs) return other.atMs - one.atMs;
  if (one.source !== other.source) return one.source === 'c' ? -1 : 1;
  return other.number - one.number;
}

const placeForm = /^(\d{1,15})([cs])(\d{1,15})$/;

/** Returns undefined if the text does not have the form of a place. */
export function readPlace(text: string): AuditPlace | undefined {
  const [, at, source, number] = placeForm.exec(text) ?? [];
  if (source !== 'c' && source !== 's') return undefined;
  return { atMs: Number(at), source, number: Number(number) };
}

const encodePlace = ({ atMs, source, number }: AuditPlace): string => `${atMs}${source}${number}`;

function findChanges(query: AuditQuery, { changes, directory }: SystemContext) {
  const { kind, user, from, to, after, maxSize } = query;
  if (kind === 'signIn') return [];
  // If the previous page ended with a sign-in, all changes with the same time have already been listed.
  const seq = after?.source === 's' ? 0 : (after?.number ?? 0);
  const before = after && { atMs: after.atMs, seq };
  const actorId = user === undefined ? undefined : idOf(user, directory);
  const found = changes.find({ kind, actorId, from, to, before, limit: maxSize + 1 });
  return found.map((change): Found => {
    const { atMs, seq: number } = change;
    return { atMs, source: 'c', number, change, entry: ofChange(change, directory) };
  });
}

const idOf = (user: string, directory: Directory): string => directory.userByName(user)?.id ?? user;

interface StoredSignIn extends SignIn {
  readonly id: number;
  readonly attempts: number;
}

/** Returns an empty list if the tables do not exist yet. */
async function findSignIns(
  database: AccessDatabase,
  { kind, user, from, to, after, maxSize }: AuditQuery,
  { directory }: SystemContext,
): Promise<readonly Found[]> {
  if (kind !== undefined && kind !== 'signIn') return [];
  if (!(await hasAccessTables(database))) return [];
  // If the previous page ended with a change, no sign-in with the same time has been listed yet.
  const before = after?.source === 'c' ? Number.MAX_SAFE_INTEGER : after?.number;
  const id = user === undefined ? undefined : idOf(user, directory);
  const { rows } = await database.query<StoredSignIn>(
    `select id::float8, at_ms::float8 as "atMs", user_name as "userName", user_id as "userId",
       method, address, reason, attempts, request_id as "requestId"
     from ${auditSchema}.sign_ins
     where ($1::bigint is null or at_ms >= $1) and ($2::bigint is null or at_ms < $2)
       and ($3::bigint is null or (at_ms, id) < ($3, $4::bigint))
       and ($5::text is null or user_id = $5 or user_name = $6)
     order by at_ms desc, id desc limit $7`,
    [from, to, after?.atMs, before, id, user, maxSize + 1],
  );
  return rows.map((signIn) => {
    const { atMs, id: number } = signIn;
    return { atMs, source: 's', number, entry: ofSignIn(signIn, directory) };
  });
}

function ofSignIn(signIn: StoredSignIn, directory: Directory): AuditEntry {
  const { id, atMs, userId, userName, method, address, reason, attempts, requestId } = signIn;
  return {
    id: `s${id}`,
    at: new Date(atMs).toISOString(),
    kind: 'signIn',
    action: reason === null ? 'signedIn' : 'refused',
    byId: userId,
    byName: userId === null ? null : nameOf('User', userId, directory),
    requestId,
    record: null,
    changes: null,
    signIn: { userName, method, address, reason, attempts },
  };
}

function ofChange(change: IndexedChange, directory: Directory): AuditEntry {
  const { seq, atMs, kind, action, entityType, recordId: id, version, actorId } = change;
  const { administratorId, requestId } = change;
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
    requestId,
    record: { entityType, id, name: nameOf(entityType, id, directory), version },
    changes: null,
    signIn: null,
  };
}

/**
 * Returns the name of a record, even if it is deleted. A second factor has the id and the name of its user; a webhook
 * has the name of its event.
 */
function nameOf(entityType: string, id: string, directory: Directory): string | null {
  const own = directory.record(entityType, id)?.values;
  const name = own?.['name'] ?? own?.['event'] ?? directory.record('User', id)?.values['name'];
  return typeof name === 'string' ? name : null;
}
