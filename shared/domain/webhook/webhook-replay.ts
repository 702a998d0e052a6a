import type { AttributeValue, AttributeValues } from '../record/attribute-values.ts';
import type { RecordState } from '../record/record-state.ts';

/** Entity type of replays in the directory log: whoever asks for one, or cancels it, writes it there. */
export const webhookReplayType = 'WebhookReplay';

/** Events of a past time that go through the filter of a webhook once more, or for the first time. */
export interface WebhookReplay {
  readonly id: string;
  readonly webhookId: string;
  /** By the time of the events, milliseconds since 1970; `to` is not included. */
  readonly from: number;
  readonly to: number;
  /** Only counts, and shows samples. */
  readonly dryRun: boolean;
  readonly isCancelled: boolean;
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
    ends: toOffsets(values['ends']),
  };
}

export function toReplayValues(replay: Omit<WebhookReplay, 'id' | 'isCancelled'>): AttributeValues {
  const { webhookId, from, to, dryRun, ends } = replay;
  return { webhookId, from, to, dryRun, isCancelled: false, ends: ends.map(String) };
}

function toOffsets(value: AttributeValue | undefined): readonly bigint[] {
  return Array.isArray(value) ? value.map((offset) => BigInt(String(offset))) : [];
}
