import type { WebhookBatch, WebhookEvent } from './webhook-batch-codec.ts';

/**
 * The header of an attempt that contains the sequence numbers of the batch's events, separated by commas. An event
 * without a number yields an empty entry.
 */
export const sequencesHeader = 'sequences';

/** Returns undefined if no event has a sequence number. */
export function toSequencesText(events: readonly WebhookEvent[]): string | undefined {
  if (events.every(({ sequence }) => sequence === undefined)) return undefined;
  return events.map(({ sequence = '' }) => sequence).join(',');
}

/** Returns the batch with the sequence numbers from an earlier attempt. Numbers that the batch already has are kept. */
export function withSequences(batch: WebhookBatch, text: string | null): WebhookBatch {
  if (text === null || toSequencesText(batch.events) !== undefined) return batch;
  const numbers = readSequences(text);
  if (numbers.length !== batch.events.length) return batch;
  const events = batch.events.map((event, index) => {
    const sequence = numbers[index];
    return sequence === undefined ? event : { ...event, sequence };
  });
  return { ...batch, events };
}

/** Returns an empty list if the text is malformed. */
export function readSequences(text: string): readonly (number | undefined)[] {
  if (!/^\d{0,15}(,\d{0,15})*$/.test(text)) return [];
  return text.split(',').map((number) => (number === '' ? undefined : Number(number)));
}
