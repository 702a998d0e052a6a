import { requireActingUser } from '../directory/acting-user.ts';
import type { Directory } from '../directory/directory.ts';
import { Refusal } from '../errors.ts';
import type { RecordState } from '../record/record-state.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { toOffsets } from './record/webhook.ts';
import { requireWebhook } from './require-webhook.ts';

/** Entity type of replays in the directory log. Requests for a replay, and cancellations, are written there. */
export const webhookReplayType = 'WebhookReplay';

/** Past events that pass the filter of a webhook again, or for the first time. */
export interface WebhookReplay {
  readonly id: string;
  readonly webhookId: string;
  /** By the time of the events, milliseconds since 1970; `to` is not included. */
  readonly from: number;
  readonly to: number;
  /** Only counts the events and shows samples. */
  readonly dryRun: boolean;
  readonly isCancelled: boolean;
  /** The user in whose name it runs: who asked for it, or resumed it last. */
  readonly startedById: string;
  /** Where each partition of the records log ended when the replay was asked for. */
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

/** The error code that stops a replay for now; undefined as long as its user has the right to ask for it. */
export function replayStop(
  directory: Pick<Directory, 'record' | 'actor'>,
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
