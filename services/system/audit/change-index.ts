import { entityDefinitionType } from '../../../shared/domain/directory/directory.ts';
import { secondFactorType } from '../../../shared/domain/login/second-factor.ts';
import { signInProviderType } from '../../../shared/domain/login/sign-in-provider.ts';
import {
  changedBy,
  isRestoration,
  type RecordEvent,
} from '../../../shared/domain/record/record-event.ts';
import type { ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import { traceparentOf } from '../../../shared/kafka/trace-header.ts';

/** The kind of a change, by the entity type in the directory. */
const kindsByType = {
  User: 'user',
  [secondFactorType]: 'user',
  Role: 'role',
  Team: 'team',
  [entityDefinitionType]: 'definition',
  [signInProviderType]: 'provider',
  Webhook: 'webhook',
} as const;

export type ChangeKind = (typeof kindsByType)[keyof typeof kindsByType];
export const changeKinds: readonly ChangeKind[] = [...new Set(Object.values(kindsByType))];

const actions = { Created: 'created', Updated: 'updated', Deleted: 'deleted' } as const;
export const changeActions = [...Object.values(actions), 'restored'] as const;

interface Place {
  /** In milliseconds since 1970. */
  readonly atMs: number;
  /** Ascending, and the same in every process. */
  readonly seq: number;
}

/** A change of a record in the directory, without the changed attributes, which the history contains. */
export interface IndexedChange extends Place {
  readonly kind: ChangeKind;
  readonly action: (typeof changeActions)[number];
  readonly entityType: string;
  readonly recordId: string;
  readonly version: number;
  readonly actorId: string;
  /** The administrator who was acting as this user. */
  readonly administratorId?: string;
  /** The trace id of the request; null if it had none. */
  readonly requestId: string | null;
}

export interface ChangeQuery {
  readonly kind: ChangeKind | undefined;
  /** The acting user, or the administrator who was acting as another user. */
  readonly actorId: string | undefined;
  /** In milliseconds since 1970. `from` is inclusive, `to` is exclusive. */
  readonly from: number | undefined;
  readonly to: number | undefined;
  /** Returns only changes before this place. */
  readonly before: Place | undefined;
  readonly limit: number;
}

export interface ChangeIndex {
  readonly add: (event: RecordEvent, message: Pick<ReadMessage, 'headers'>) => void;
  /** Newest first. */
  find(query: ChangeQuery): readonly IndexedChange[];
}

/** The number of changes that a process keeps. Only the history contains older ones. */
const MAX_CHANGES = 100_000;

/**
 * An index of changes, folded from the directory log as the directory is, so that queries need not search the history.
 */
export function createChangeIndex(maxChanges = MAX_CHANGES): ChangeIndex {
  /** Sorted by time, then by place in the log. */
  let changes: IndexedChange[] = [];
  let seq = 0;

  return {
    add(event, message) {
      const { entityType } = event;
      if (!isAudited(entityType) || isCodeUse(event)) return;
      seq += 1;
      const requestId = traceparentOf(message)?.split('-')[1] ?? null;
      insert(changes, { ...toChange(event, kindsByType[entityType]), requestId, seq });
      // Trims only occasionally, because this copies the array.
      if (changes.length > maxChanges * 2) changes = changes.slice(-maxChanges);
    },
    find({ limit, from = 0, ...wanted }) {
      const found: IndexedChange[] = [];
      for (const change of changes.slice(-maxChanges).reverse()) {
        if (change.atMs < from || found.length === limit) break;
        if (isWanted(change, wanted)) found.push(change);
      }
      return found;
    },
  };
}

function isWanted(
  change: IndexedChange,
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

const isBy = (change: IndexedChange, userId: string): boolean =>
  change.actorId === userId || change.administratorId === userId;

const isBefore = (one: Place, other: Place): boolean =>
  one.atMs === other.atMs ? one.seq < other.seq : one.atMs < other.atMs;

/** Keeps the order by time: changes may arrive slightly out of order, because the clocks of owners differ. */
function insert(changes: IndexedChange[], change: IndexedChange): void {
  let place = changes.length;
  for (let last = changes[place - 1]; last !== undefined; last = changes[place - 1]) {
    if (isBefore(last, change)) break;
    place -= 1;
  }
  changes.splice(place, 0, change);
}

function toChange(event: RecordEvent, kind: ChangeKind): Omit<IndexedChange, 'seq' | 'requestId'> {
  const { entityType, recordId, version, actorId, administratorId, type } = event;
  return {
    atMs: event.occurredAt,
    kind,
    action: isRestoration(event) ? 'restored' : actions[type],
    entityType,
    recordId,
    version,
    actorId,
    ...(administratorId !== undefined && { administratorId }),
  };
}

function isAudited(entityType: string): entityType is keyof typeof kindsByType {
  return Object.hasOwn(kindsByType, entityType);
}

/** Each sign-in with a second factor records the use of its code. This change is not audited. */
function isCodeUse(event: RecordEvent): boolean {
  if (event.entityType !== secondFactorType || event.type !== 'Updated') return false;
  return changedBy(event).every((attribute) => attribute === 'lastStep');
}
