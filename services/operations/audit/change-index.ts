import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import {
  changedBy,
  isRestoration,
  type RecordEvent,
} from '../../../shared/domain/record/record-event.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceparentOf } from '../../../shared/kafka/trace-header.ts';

/** Which entity types of the directory each kind of change is about. */
const kindsByType = {
  User: 'user',
  [secondFactorType]: 'user',
  Role: 'role',
  Team: 'team',
  [entityDefinitionType]: 'definition',
  Webhook: 'webhook',
} as const;

export type ChangeKind = (typeof kindsByType)[keyof typeof kindsByType];
export const changeKinds: readonly ChangeKind[] = [...new Set(Object.values(kindsByType))];

const actions = { Created: 'created', Updated: 'updated', Deleted: 'deleted' } as const;
export const changeActions = [...Object.values(actions), 'restored'] as const;

/** A change of a record of the directory: all but what it changed, which the history has. */
export interface NotedChange {
  /** Grows with each, and is the same in every process. */
  readonly seq: number;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly kind: ChangeKind;
  readonly action: (typeof changeActions)[number];
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
  readonly actorId: string;
  /** The administrator who acted as this user. */
  readonly administratorId?: string;
  /** The trace of the request, if it had one. */
  readonly requestId: string | null;
}

export interface ChangeQuery {
  readonly kind: ChangeKind | undefined;
  /** The user, or the administrator who acted as another user. */
  readonly actorId: string | undefined;
  /** Milliseconds since 1970, the first one included, the last one not. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Only those before this place. */
  readonly before: { readonly atMs: number; readonly seq: number } | undefined;
  readonly limit: number;
}

export interface ChangeIndex {
  readonly note: (event: RecordEvent, message: Pick<ReadMessage, 'headers'>) => void;
  /** The newest first. */
  find(query: ChangeQuery): readonly NotedChange[];
}

/** What a process remembers. Of older changes the histories of the records tell. */
const MAX_CHANGES = 100_000;

/** Folded from the directory log beside the directory itself, so that nothing is looked for in the table of all events. */
export function createChangeIndex(maxChanges = MAX_CHANGES): ChangeIndex {
  /** In order of time, and of the log where that is the same. */
  let changes: NotedChange[] = [];
  let seq = 0;

  return {
    note(event, message) {
      const change = toChange(event, message);
      if (change === undefined) return;
      seq += 1;
      insert(changes, { ...change, seq });
      // Not each time: it copies them.
      if (changes.length > maxChanges * 2) changes = changes.slice(-maxChanges);
    },
    find({ limit, from = 0, ...wanted }) {
      const found: NotedChange[] = [];
      for (const change of changes.slice(-maxChanges).reverse()) {
        if (change.atMs < from || found.length === limit) break;
        if (isWanted(change, wanted)) found.push(change);
      }
      return found;
    },
  };
}

function isWanted(
  change: NotedChange,
  {
    kind = change.kind,
    actorId,
    to = Number.POSITIVE_INFINITY,
    before,
  }: Omit<ChangeQuery, 'limit' | 'from'>,
): boolean {
  if (change.kind !== kind || change.atMs >= to) return false;
  if (actorId !== undefined && !isBy(change, actorId)) return false;
  return before === undefined || isBefore(change, before);
}

const isBy = (change: NotedChange, userId: string): boolean =>
  change.actorId === userId || change.administratorId === userId;

type Place = Pick<NotedChange, 'atMs' | 'seq'>;

const isBefore = (one: Place, other: Place): boolean =>
  one.atMs === other.atMs ? one.seq < other.seq : one.atMs < other.atMs;

/** Clocks of several owners may differ a little. */
function insert(changes: NotedChange[], change: NotedChange): void {
  let place = changes.length;
  for (let last = changes[place - 1]; last !== undefined; last = changes[place - 1]) {
    if (isBefore(last, change)) break;
    place -= 1;
  }
  changes.splice(place, 0, change);
}

function toChange(
  event: RecordEvent,
  message: Pick<ReadMessage, 'headers'>,
): Omit<NotedChange, 'seq'> | undefined {
  const { entityType, recordId, version, actorId, administratorId, type } = event;
  if (!isAudited(entityType) || isCodeUse(event)) return undefined;
  return {
    atMs: event.occurredAt,
    kind: kindsByType[entityType],
    action: isRestoration(event) ? 'restored' : actions[type],
    entityType,
    recordId,
    version,
    actorId,
    ...(administratorId !== undefined && { administratorId }),
    requestId: traceparentOf(message)?.split('-')[1] ?? null,
  };
}

function isAudited(entityType: string): entityType is keyof typeof kindsByType {
  return Object.hasOwn(kindsByType, entityType);
}

/** Each log-in with a code notes that it was used. */
function isCodeUse(event: RecordEvent): boolean {
  if (event.entityType !== secondFactorType || event.type !== 'Updated') return false;
  return changedBy(event).every((attribute) => attribute === 'lastStep');
}
