import type { Queryable } from '../../../shared/db/pool.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import type { SystemContext } from '../context.ts';
import type { FailedRequest } from './failed-requests.ts';
import {
  type BatchRow,
  eventsIn,
  findBatchesOf,
  MAX_ATTEMPTS,
  readAttempts,
  readBatch,
  readBatchesOfWebhook,
} from './read-deliveries.ts';
import {
  type HistoryRow,
  readEventsOfRecord,
  readEventsOfRequest,
  readNamedEvents,
} from './read-events.ts';
import { type RequestSignIn, readSignIns } from './read-sign-ins.ts';
import {
  inOrder,
  type TraceStep,
  toAttemptStep,
  toBatchStep,
  toEventStep,
  toFailureStep,
  toSignInStep,
} from './trace-step.ts';

export const traceKinds = ['request', 'record', 'batch', 'webhook'] as const;
type TraceKind = (typeof traceKinds)[number];

/** What happened around an id, oldest first. */
interface Trace {
  readonly id: string;
  readonly kind: TraceKind;
  readonly steps: readonly TraceStep[];
  /** False if there are more steps than the response may have. */
  readonly isComplete: boolean;
}

interface Found {
  readonly kind: TraceKind;
  readonly signIns?: readonly RequestSignIn[];
  readonly failed?: readonly FailedRequest[];
  readonly events: readonly HistoryRow[];
  readonly batches: readonly BatchRow[];
  readonly isCut: boolean;
}

export const MAX_EVENTS = 100;
const MAX_EVENTS_OF_RECORD = 20;
const MAX_BATCHES_OF_WEBHOOK = 20;

/** Reads what happened around a request, record, batch or webhook. Throws a Refusal for an unknown id. */
export async function readTrace(context: SystemContext, db: Queryable, id: string): Promise<Trace> {
  const found = await find(context, db, id);
  const { kind, signIns = [], failed = [], events, batches, isCut } = found;
  const attempts = await readAttempts(db, batches);
  const { directory } = context;
  const steps = [
    ...signIns.map(toSignInStep),
    ...failed.map(toFailureStep),
    ...events.map((one) => toEventStep(one, directory)),
    ...batches.map((one) => toBatchStep(one, directory)),
    ...attempts.slice(0, MAX_ATTEMPTS).map((one) => toAttemptStep(one, directory)),
  ];
  const isComplete = !isCut && attempts.length <= MAX_ATTEMPTS;
  return { id, kind, steps: steps.toSorted(inOrder), isComplete };
}

const requestForm = /^[0-9a-f]{32}$/;

async function find(context: SystemContext, db: Queryable, id: string): Promise<Found> {
  if (requestForm.test(id)) return findRequest(context, db, id);
  if (!isStorableText(id)) throw unknownId();
  const { directory } = context;
  if (directory.records('Webhook').some((webhook) => webhook.id === id)) {
    return findByBatches(
      db,
      'webhook',
      await readBatchesOfWebhook(db, id, MAX_BATCHES_OF_WEBHOOK + 1),
    );
  }
  const events = await readEventsOfRecord(db, id, MAX_EVENTS_OF_RECORD + 1);
  if (events.length > 0) {
    const shown = events.slice(0, MAX_EVENTS_OF_RECORD);
    const { batches, isCut } = await findBatchesOf(db, shown, directory);
    return { kind: 'record', events: shown, batches, isCut: isCut || events.length > shown.length };
  }
  const batches = await readBatch(db, id);
  if (batches.length === 0) throw unknownId();
  return findByBatches(db, 'batch', batches);
}

/** A request without steps may only have read, or is unknown: requests are not stored as such. */
async function findRequest(context: SystemContext, db: Queryable, id: string): Promise<Found> {
  const events = await readEventsOfRequest(db, id, MAX_EVENTS + 1);
  const shown = events.slice(0, MAX_EVENTS);
  const { batches, ...found } = await findBatchesOf(db, shown, context.directory);
  const [signIns, failed] = await Promise.all([readSignIns(context, id), context.findFailed(id)]);
  const isCut = found.isCut || events.length > shown.length;
  return { kind: 'request', signIns, failed, events: shown, batches, isCut };
}

async function findByBatches(
  db: Queryable,
  kind: 'batch' | 'webhook',
  found: readonly BatchRow[],
): Promise<Found> {
  const batches = found.slice(0, MAX_BATCHES_OF_WEBHOOK);
  const names = batches.flatMap(({ batch }) => eventsIn(batch));
  const events = await readNamedEvents(db, names.slice(0, MAX_EVENTS));
  const isCut = found.length > batches.length || names.length > MAX_EVENTS;
  return { kind, events, batches, isCut };
}

function unknownId(): Refusal {
  return new Refusal(
    'not_found',
    'trace.not_found',
    'No request, record, batch or webhook has this id.',
  );
}
