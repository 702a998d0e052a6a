import { Refusal } from '../errors.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { toOffsets } from '../webhook/record/webhook.ts';
import { requireActingUser } from './acting-user.ts';
import type { Directory } from './directory.ts';
import { requireWebhook } from './require-webhook.ts';

/** Entity type in the directory log for requests to start, cancel and resume replays. */
export const webhookReplayType = 'WebhookReplay';

/** A request to match past events against a webhook again. */
export interface WebhookReplay {
  readonly id: string;
  readonly webhookId: string;
  /** Range of event times in milliseconds since 1970; `to` is exclusive. */
  readonly from: number;
  readonly to: number;
  /** Only counts the events and returns samples. */
  readonly dryRun: boolean;
  readonly isCancelled: boolean;
  /** The user on whose behalf the replay runs: the user who requested it or last resumed it. */
  readonly startedById: string;
  /** The end offset of each partition of the records log when the replay was requested. */
  readonly ends: readonly bigint[];
}

export function toWebhookReplay({ id, values }: RecordState): WebhookReplay {
  return {
    id,
    webhookId: String(values['webhookId']),
    from: Number(values['from']),
    to: Number(values['to']),
    dryRun: values['dryRun'] === true,
    isCancelled: values['isCancelled'] === true,
    startedById: String(values['resumedById'] ?? values['createdById']),
    ends: toOffsets(values['ends']) ?? [],
  };
}

/** Returns the error code that stops a replay for now; undefined while its user is allowed to run it. */
export function replayStop(
  directory: Directory,
  { webhookId, startedById }: WebhookReplay,
): string | undefined {
  try {
    requireWebhook(directory, requireActingUser(directory, startedById), webhookId);
    return undefined;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

export function toReplayValues(
  replay: Omit<WebhookReplay, 'id' | 'isCancelled' | 'startedById'>,
): AttributeValues {
  const { webhookId, from, to, dryRun, ends } = replay;
  return { webhookId, from, to, dryRun, isCancelled: false, ends: ends.map(String) };
}
