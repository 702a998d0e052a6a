import { randomUUID } from 'node:crypto';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { modificationOf } from '../../../shared/domain/webhook/record/modification.ts';
import { isRelationType, type Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { toWebhookEvent } from '../../../shared/events/build-webhook-body.ts';
import {
  testBatchPrefix,
  toFormat,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';

/** Returns a batch in the webhook's format with one event for a made-up record. */
export function sampleBatch(directory: Directory, webhook: Webhook, now: number): WebhookBatch {
  const owner = webhook.userId ?? 'system';
  const sample: RecordEvent = {
    eventId: randomUUID(),
    entityType: webhook.entityType,
    recordId: 'sample',
    version: 1,
    type: 'Created',
    occurredAt: now,
    actorId: owner,
    commandId: null,
    commandHash: null,
    correlationId: null,
    access: { assignedUserId: owner, createdById: owner, teamIds: [] },
    changes: [{ attribute: 'name', before: null, after: 'Sample' }],
  };
  return testBatch(webhook, toWebhookEvent(sample, sampleData(directory, webhook, sample)), now);
}

/** Returns a batch with one event that is never retried, and whose id marks it as a test for the receiver. */
export function testBatch(
  { id: webhookId, event, payloadFormat }: Webhook,
  content: WebhookEvent,
  now: number,
): WebhookBatch {
  return {
    batchId: `${testBatchPrefix}${randomUUID()}`,
    webhookId,
    event,
    enqueuedAt: now,
    attemptsMade: 0,
    dueAt: now,
    ...toFormat(payloadFormat),
    events: [content],
  };
}

function sampleData(
  directory: Directory,
  { type, entityType, field }: Webhook,
  sample: RecordEvent,
): AttributeValues {
  const model = directory.entity(entityType);
  const id = sample.recordId;
  if (type === 'delete' || model === undefined) return { id };
  if (isRelationType(type)) return sampleRelation(directory, { model, link: field ?? '', id });
  const body = toRecordBody(model, evolve(undefined, sample), () => undefined);
  if (type === 'create') return body;
  const changed = Object.entries(body).filter(([name]) =>
    field === null ? name === 'name' : model.attribute.get(name)?.field === field,
  );
  return { id, ...Object.fromEntries(changed), ...modificationOf(sample, namesIn(directory)) };
}

/** Returns the data of one linked or unlinked record, as seen from the webhook's entity type. */
function sampleRelation(
  directory: Directory,
  { model, link, id }: { readonly model: EntityModel; readonly link: string; readonly id: string },
): AttributeValues {
  const [firstParent = null] = model.fields.get(link)?.entityList ?? [];
  const foreignType = linksOf(model, directory.entity).get(link)?.entityType ?? firstParent;
  return { link, foreignType, relations: [{ id, foreignId: 'other-sample' }] };
}
