import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type Decision,
  decideCreate,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { type SerializedRefusal, toRefusal } from '../forwarding/serialized-refusal.ts';

/** Entity type of the records in which mass actions are decided. */
export const massActionType = 'MassAction';

export function massActionModel({ entity }: Pick<Directory, 'entity'>): EntityModel {
  const model = entity(massActionType);
  if (model !== undefined) return model;
  throw new Error('there are no mass actions');
}

/** How long whoever carries out a mass action may do so without saying that it still is at it. */
export const LEASE_MS = 20_000;
/** Between the end of a lease and its taking by another one: clocks differ. */
export const LEASE_MARGIN_MS = 5_000;

/** The one decision that a mass action is (design 3.1). Plain data: it travels, and stands in the log. */
export interface PlannedMassAction {
  readonly entityType: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly ids: readonly string[];
  readonly isByIds: boolean;
}

/** What happens to the record of a mass action. */
export type MassActionStep =
  | { readonly kind: 'decide'; readonly runner: string; readonly planned: PlannedMassAction }
  /** Here, because a command that comes again would not find what it found before. */
  | { readonly kind: 'refuse'; readonly refusal: SerializedRefusal }
  /** Another runner goes on where one went silent. */
  | { readonly kind: 'take'; readonly runner: string }
  | { readonly kind: 'renew'; readonly runner: string; readonly processedCount: number }
  /** Nothing more of it is to be done: whoever is at it ends it. */
  | { readonly kind: 'cancel'; readonly cancelledById: string }
  | ({ readonly kind: 'end'; readonly runner: string } & MassActionOutcome);

/** How a mass action ended; `reason` is an error code, where not everything was tried. */
export interface FinalStatus {
  readonly status: 'Success' | 'Failed' | 'Stopped' | 'Cancelled';
  readonly reason?: string;
}

interface MassActionOutcome extends FinalStatus {
  readonly processedCount: number;
  readonly skippedIds: readonly string[];
  /** Absent from a process of an earlier version. */
  readonly skipped?: readonly Skipped[];
}

/** Records that were refused for the same reason: how many, and the first ones. */
interface Skipped {
  /** An error code. */
  readonly reason: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/** Of each reason: whoever has thousands skipped wants to know why, and not each. */
const TOLD_IDS = 50;

/** By reason, the most frequent first, of ids with their reasons. */
export function skippedIn(refused: readonly (readonly [string, string])[]): readonly Skipped[] {
  return [...Map.groupBy(refused, ([, reason]) => reason)]
    .map(([reason, of]) => {
      const ids = of.slice(0, TOLD_IDS).map(([id]) => id);
      return { reason, count: of.length, ids };
    })
    .toSorted((one, other) => other.count - one.count);
}

/** Changes nothing where the step comes too late: the state tells who is at it, or how it ended. */
export function decideMassAction(
  state: RecordState | undefined,
  step: MassActionStep,
  { id, now }: { readonly id: string; readonly now: number },
): Decision | undefined {
  const leasedUntil = formatDateTime(now + LEASE_MS);
  if (step.kind === 'refuse') throw toRefusal(step.refusal);
  if (step.kind === 'decide') {
    const { ids, data, ...planned } = step.planned;
    const { runner } = step;
    return decideCreate(state, {
      ...planned,
      data: JSON.stringify(data),
      targetIds: ids,
      status: 'Running',
      processedCount: 0,
      skippedIds: [],
      runner,
      leasedUntil,
    });
  }
  const current = live(state, id);
  if (hasEnded(current)) return undefined;
  if (step.kind === 'cancel') {
    const { cancelledById } = step;
    return isCancelled(current) ? undefined : decideUpdate(current, { cancelledById });
  }
  const { runner } = step;
  if (step.kind === 'take') {
    const isFree = now > leaseEndOf(current) + LEASE_MARGIN_MS;
    return isFree ? decideUpdate(current, { runner, leasedUntil }) : undefined;
  }
  if (!isRunBy(current, runner)) return undefined;
  return step.kind === 'renew'
    ? decideUpdate(current, { processedCount: step.processedCount, leasedUntil })
    : decideUpdate(current, { ...outcomeOf(step), runner: null, leasedUntil: null });
}

function outcomeOf(step: Extract<MassActionStep, { readonly kind: 'end' }>): AttributeValues {
  const { kind: _, skipped, ...outcome } = step;
  return { ...outcome, ...(skipped === undefined ? {} : { skipped: JSON.stringify(skipped) }) };
}

export function hasEnded({ values }: RecordState): boolean {
  return values['status'] !== 'Running';
}

export function isCancelled({ values }: RecordState): boolean {
  return typeof values['cancelledById'] === 'string';
}

export function isRunBy({ values }: RecordState, runner: string): boolean {
  return values['runner'] === runner;
}

/** Milliseconds since 1970. */
export function leaseEndOf({ values }: RecordState): number {
  const text = values['leasedUntil'];
  return typeof text === 'string' ? Date.parse(`${text.replace(' ', 'T')}Z`) : 0;
}

/** What was decided. */
export function plannedIn({ values }: RecordState): PlannedMassAction {
  return {
    entityType: String(values['entityType']),
    action: String(values['action']),
    data: JSON.parse(String(values['data'])),
    ids: idsIn(values['targetIds']),
    isByIds: values['isByIds'] === true,
  };
}

/**
 * The answer for a mass action that has ended: with ids only if the request had ids, with a status only if not every
 * record was tried.
 */
export function resultOf(state: RecordState): {
  readonly count: number;
  readonly ids?: readonly string[];
  readonly status?: string;
  readonly reason?: string;
} {
  const { ids, isByIds } = plannedIn(state);
  const { processedCount: count, status, reason } = statusOf(state);
  const why = reason === undefined ? {} : { reason };
  const told = { count, ...(status === 'Success' ? {} : { status, ...why }) };
  if (!isByIds) return told;
  const skipped = new Set(idsIn(state.values['skippedIds']));
  return { ...told, ids: ids.filter((id) => !skipped.has(id)) };
}

/** What clients are told of one at any time. */
export function statusOf({ values }: RecordState): {
  readonly status: string;
  readonly processedCount: number;
  readonly reason?: string;
  readonly skipped?: readonly Skipped[];
  readonly recordCount: number;
} {
  const { status, processedCount, reason, skipped } = values;
  return {
    status: String(status),
    processedCount: Number(processedCount),
    recordCount: idsIn(values['targetIds']).length,
    ...(typeof reason === 'string' ? { reason } : {}),
    ...(typeof skipped === 'string' ? { skipped: JSON.parse(skipped) } : {}),
  };
}

/** Of the command for one of its records: the same for everybody who carries it out. */
export function massActionKey(massActionId: string, recordId: string): string {
  return `mass-${massActionId}-${recordId}`;
}

function idsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
