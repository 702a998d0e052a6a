import type { RecordState } from '../../record/record-state.ts';
import type { AttributeValue } from '../../value/attribute-values.ts';
import { type PayloadFormatName, payloadFormatOf } from '../format/payload-formats.ts';

export const webhookEventTypes = [
  'create',
  'update',
  'fieldUpdate',
  'delete',
  'relate',
  'unrelate',
] as const;

export type WebhookEventType = (typeof webhookEventTypes)[number];

/** A webhook in the form used by the dispatcher. `secretKey` is still encrypted. */
export interface Webhook {
  readonly id: string;
  /** As the subscriber wrote it. */
  readonly event: string;
  readonly entityType: string;
  readonly type: WebhookEventType;
  /** The field for `fieldUpdate`, or the link for `relate` and `unrelate`. */
  readonly field: string | null;
  readonly url: string;
  readonly isActive: boolean;
  readonly secretKey: string;
  readonly userId: string | null;
  readonly skipOwn: boolean;
  readonly payloadFormat: PayloadFormatName;
  /** Null means that the operator's setting applies. */
  readonly batchSize: number | null;
  /** If true, a batch waits until all earlier batches have an outcome. */
  readonly ordered: boolean;
  readonly xSignatureFormat: 'base64' | 'prefixed';
  /** Encrypted JSON of CustomHeaders; null without custom headers. */
  readonly sealedHeaders: string | null;
  /** The encrypted secret before the last rotation. Until `previousSecretUntil` (ms since 1970) it also signs requests. */
  readonly previousSecretKey: string | null;
  readonly previousSecretUntil: number;
  readonly activity: readonly ActiveStretch[];
}

/**
 * Offsets in the records log between which a webhook was active, per partition: `from` inclusive, `until` exclusive.
 * Offsets rather than times determine the events that a subscriber gets. Clocks therefore do not matter, and an event
 * from an active period is delivered even if the webhook is deactivated and reactivated before the queue reaches the
 * event.
 */
interface ActiveStretch {
  readonly from: readonly bigint[];
  /** Null while the webhook is active. */
  readonly until: readonly bigint[] | null;
}

const webhooks = new WeakMap<RecordState, Webhook>();

/** Memoized per version of the record. */
export function toWebhook(record: RecordState): Webhook {
  const known = webhooks.get(record);
  if (known !== undefined) return known;
  const webhook = makeWebhook(record);
  webhooks.set(record, webhook);
  return webhook;
}

function makeWebhook({ id, values }: RecordState): Webhook {
  const type = String(values['type']);
  return {
    id,
    event: String(values['event']),
    entityType: String(values['entityType']),
    type: isEventType(type) ? type : 'update',
    field: toText(values['field']),
    url: String(values['url']),
    isActive: values['isActive'] === true,
    secretKey: String(values['secretKey']),
    userId: toText(values['userId']),
    skipOwn: values['skipOwn'] === true,
    payloadFormat: payloadFormatOf(values['payloadFormat']).name,
    batchSize: typeof values['batchSize'] === 'number' ? values['batchSize'] : null,
    ordered: values['ordered'] === true,
    xSignatureFormat: values['xSignatureFormat'] === 'prefixed' ? 'prefixed' : 'base64',
    sealedHeaders: toText(values['sealedHeaders']),
    previousSecretKey: toText(values['previousSecretKey']),
    previousSecretUntil: toTime(values['previousSecretUntil']),
    activity: toActivity(values['activity']),
  };
}

/** Returns `Account.fieldUpdate.assignedUser`: the canonical name uses the field, even if the client named an attribute. */
export function firedBy({ entityType, type, field }: Webhook): string {
  return field === null ? `${entityType}.${type}` : `${entityType}.${type}.${field}`;
}

/** True if the webhook was active when the event at this offset was appended. */
export function wasActiveAt({ activity }: Webhook, partition: number, offset: bigint): boolean {
  return activity.some(({ from, until }) => {
    const end = until?.[partition];
    return offset >= (from[partition] ?? 0n) && (end === undefined || offset < end);
  });
}

/** Returns the stored form of the activity after switching the webhook on or off at these offsets. */
export function switchActivity(
  stored: AttributeValue | undefined,
  isActive: boolean,
  offsets: readonly bigint[],
): AttributeValue {
  const stretches = toActivity(stored);
  const at = offsets.map(String);
  const past = stretches.map(({ from, until }) => ({
    from: from.map(String),
    until: until?.map(String) ?? at,
  }));
  return isActive ? [...past, { from: at, until: null }] : past;
}

function toText(value: AttributeValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/** Parses `YYYY-MM-DD HH:MM:SS` in UTC. */
function toTime(value: AttributeValue | undefined): number {
  return typeof value === 'string' ? Date.parse(`${value.replace(' ', 'T')}Z`) : 0;
}

function toActivity(value: AttributeValue | undefined): readonly ActiveStretch[] {
  if (!Array.isArray(value)) return [];
  return value.map((stretch) => ({
    from: toOffsets(stretch.from) ?? [],
    until: toOffsets(stretch.until),
  }));
}

export function toOffsets(value: AttributeValue | undefined): readonly bigint[] | null {
  return Array.isArray(value) ? value.map((offset) => BigInt(String(offset))) : null;
}

export function isEventType(type: string): type is WebhookEventType {
  return webhookEventTypes.some((known) => known === type);
}

/** True for events about links, as opposed to values of a record. */
export function isRelationType(type: WebhookEventType): boolean {
  return type === 'relate' || type === 'unrelate';
}
