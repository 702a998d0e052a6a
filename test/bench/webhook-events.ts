import { randomBytes, randomUUID } from 'node:crypto';
import { decideCreate } from '../../shared/domain/record/decide.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { switchActivity, type Webhook } from '../../shared/domain/webhook/record/webhook.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';

interface Registration extends Pick<Webhook, 'id' | 'entityType' | 'type' | 'url'> {
  /** The field of a `fieldUpdate`. */
  readonly field?: string;
  /** The number of partitions of the records log, from whose beginning the webhook is active. */
  readonly partitions: number;
  /** Master key of the dispatcher that reads it. */
  readonly secretKey: string;
}

/** Returns a registration as the API would write it. */
export function webhookEvent(registration: Registration): RecordEvent {
  const { id, entityType, type, field, url, partitions, secretKey } = registration;
  const starts = Array.from({ length: partitions }, () => 0n);
  return directoryEvent('Webhook', id, {
    event: [entityType, type, field].filter((part) => part !== undefined).join('.'),
    entityType,
    type,
    ...(field === undefined ? {} : { field }),
    url,
    isActive: true,
    activity: switchActivity(null, true, starts),
    secretKey: createSecretBox(secretKey).seal(randomBytes(32).toString('hex')),
  });
}

/** Returns a creation in the directory log. */
export function directoryEvent(
  entityType: string,
  recordId: string,
  values: Parameters<typeof decideCreate>[1],
): RecordEvent {
  return {
    eventId: randomUUID(),
    entityType,
    recordId,
    version: 1,
    type: 'Created',
    occurredAt: Date.now(),
    actorId: 'bench',
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: null, createdById: 'bench', teamIds: [] },
    changes: decideCreate(undefined, values).changes,
  };
}
