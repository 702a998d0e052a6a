import type { AttributeValue } from '../record/attribute-values.ts';
import type { RecordState } from '../record/record-state.ts';

export type WebhookEventType = 'create' | 'update' | 'delete' | 'fieldUpdate';

/** A subscription, as the dispatcher needs it. `secretKey` is still sealed. */
export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly entityType: string;
  readonly type: WebhookEventType;
  readonly field: string | null;
  readonly url: string;
  readonly isActive: boolean;
  readonly secretKey: string;
  readonly userId: string | null;
  readonly skipOwn: boolean;
  /**
   * By partition of the records log: events before this offset happened before the webhook was last activated. A place
   * in the log rather than a time, so that no clock decides which events a subscriber gets.
   */
  readonly activeFrom: readonly bigint[];
}

export function toWebhook({ id, values }: RecordState): Webhook {
  const event = String(values['event']);
  const [entityType = '', type = '', field = null] = event.split('.');
  return {
    id,
    event,
    entityType,
    type: isEventType(type) ? type : 'update',
    field,
    url: String(values['url']),
    isActive: values['isActive'] === true,
    secretKey: String(values['secretKey']),
    userId: typeof values['userId'] === 'string' ? values['userId'] : null,
    skipOwn: values['skipOwn'] === true,
    activeFrom: toOffsets(values['activeFrom']),
  };
}

function toOffsets(value: AttributeValue | undefined): readonly bigint[] {
  return Array.isArray(value) ? value.map((offset) => BigInt(String(offset))) : [];
}

export function isEventType(type: string): type is WebhookEventType {
  return type === 'create' || type === 'update' || type === 'delete' || type === 'fieldUpdate';
}
