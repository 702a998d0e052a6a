import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type Decision,
  decideCreate,
  decideUpdate,
  live,
} from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { stepPrefix } from '../../../shared/domain/record/step-key.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';

/** Entity type of the records that store mass actions. */
export const massActionType = 'MassAction';

export function massActionModel({ entity }: Directory): EntityModel {
  const model = entity(massActionType);
  if (model !== undefined) return model;
  throw new Error('the entity type MassAction is not defined');
}

export const LEASE_MS = 20_000;
/** Margin between the expiry of a lease and its take-over, because clocks differ. */
export const LEASE_MARGIN_MS = 5_000;

/** A planned mass action. Sent between instances as JSON, and stored in the log. */
export interface PlannedMassAction {
  readonly entityType: string;
  readonly action: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly ids: readonly string[];
  readonly isByIds: boolean;
}

/** A step of a mass action. Each step changes the mass action's record. */
export type MassActionStep =
  | { readonly kind: 'decide'; readonly runner: string; readonly planned: PlannedMassAction }
  /** Another runner takes the mass action over after the lease has expired. */
  | { readonly kind: 'take'; readonly runner: string }
  | { readonly kind: 'renew'; readonly runner: string; readonly processedCount: number }
  /** Cancels the mass action. Its runner then ends it. */
  | { readonly kind: 'cancel'; readonly cancelledById: string }
  | ({ readonly kind: 'end'; readonly runner: string } & MassActionOutcome);

/** The outcome of a mass action. `reason` is an error code; it is set if not all records were tried. */
export interface FinalStatus {
  readonly status: 'Success' | 'Failed' | 'Stopped' | 'Cancelled';
  readonly reason?: string;
}

interface MassActionOutcome extends FinalStatus {
  readonly processedCount: number;
  readonly skippedIds: readonly string[];
  /** Absent in requests from an earlier version. */
  readonly skipped?: readonly Skipped[];
  /** JSON text; only for imports. */
  readonly result?: string;
}

/** Records that were rejected for the same reason: their number, and the first ids. */
interface Skipped {
  /** An error code. */
  readonly reason: string;
  readonly count: number;
  readonly ids: readonly string[];
}

/**
 * Maximum number of ids per reason. If thousands of records are skipped, the reason matters more than the individual
 * ids.
 */
const MAX_LISTED_IDS = 50;

/** Groups ids by reason for refusal, the most frequent reason first. */
export function skippedIn(refused: readonly (readonly [string, string])[]): readonly Skipped[] {
  return [...Map.groupBy(refused, ([, reason]) => reason)]
    .map(([reason, of]) => {
      const ids = of.slice(0, MAX_LISTED_IDS).map(([id]) => id);
      return { reason, count: of.length, ids };
    })
    .toSorted((one, other) => other.count - one.count);
}

/**
 * Decides a step. Changes nothing if the step comes too late: the returned state then contains the runner or the
 * outcome.
 */
export function decideMassAction(
  state: RecordState | undefined,
  step: MassActionStep,
  { id, now }: { readonly id: string; readonly now: number },
): Decision | undefined {
  const leasedUntil = formatDateTime(now + LEASE_MS);
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

/** Returns the decision from the record of a mass action. */
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
 * Returns the response for an ended mass action. The response contains ids only if the request did, and a status only
 * if not all records were tried.
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
  const result = { count, ...(status === 'Success' ? {} : { status, ...why }) };
  if (!isByIds) return result;
  const skipped = new Set(idsIn(state.values['skippedIds']));
  return { ...result, ids: ids.filter((id) => !skipped.has(id)) };
}

/** Returns the status of a mass action in the form that clients receive. */
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

/** Returns the command id for one record of a mass action. Every runner derives the same id. */
export function massActionKey(massActionId: string, recordId: string): string {
  return `${stepPrefix('mass', massActionId)}${recordId}`;
}
