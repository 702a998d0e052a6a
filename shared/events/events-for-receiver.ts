import { type Actor, accessLevel, closedFields } from '../domain/access/actor.ts';
import { hideClosed, hidesNothing } from '../domain/access/hide-closed.ts';
import { ownerAttributes, reaches } from '../domain/access/record-access.ts';
import type { Directory } from '../domain/directory/directory.ts';
import type { EntityModel } from '../domain/entity/entity-model.ts';
import type { AttributeValue } from '../domain/record/attribute-values.ts';
import type { Webhook } from '../domain/webhook/webhook.ts';
import type { WebhookEvent } from './webhook-batch-codec.ts';

export type ReceiverDirectory = Pick<Directory, 'record' | 'entity' | 'actor'>;

/**
 * The events of a batch as the webhook's API user may read them now: records by whose they were when it happened,
 * attributes by the fields that are open (webhooks.md section 2). A webhook without a user gets everything.
 */
export function eventsForReceiver(
  events: readonly WebhookEvent[],
  { userId, entityType, type }: Pick<Webhook, 'userId' | 'entityType' | 'type'>,
  directory: ReceiverDirectory,
): readonly WebhookEvent[] {
  if (userId === null) return events;
  const user = directory.record('User', userId);
  const model = directory.entity(entityType);
  if (user === undefined || user.deleted || user.values['isActive'] !== true) return [];
  if (model === undefined) return [];
  return eventsForReader(events, { actor: directory.actor(user), model, type }, directory);
}

interface Reader {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly type: Webhook['type'];
}

/** The same for anybody. */
export function eventsForReader(
  events: readonly WebhookEvent[],
  reader: Reader,
  directory: Pick<Directory, 'entity'>,
): readonly WebhookEvent[] {
  const { actor, model } = reader;
  const readable = events.filter((event) => mayRead(actor, model, event));
  if (hidesNothing(actor, model, directory.entity)) return readable;
  return readable.flatMap((event) => withoutClosed(event, reader, directory) ?? []);
}

function mayRead(actor: Actor, model: EntityModel, event: WebhookEvent): boolean {
  if (model.name === 'Note' && seesAllPosts(actor, event)) return true;
  const { access } = event;
  const level = accessLevel(actor, model.name, 'read');
  const { owner } = ownerAttributes(model);
  const ownerId = owner === 'createdById' ? access.createdById : access.assignedUserId;
  const ownership = {
    ownerIds: ownerId === null ? [] : [ownerId],
    teamIds: access.teamIds,
    readerIds: [],
  };
  return reaches(level, 'read', { actor, ownership });
}

/**
 * An event of a post does not tell whose its parent is, and only its creation tells of which type: beside authors it is
 * for who sees the streams of all records of that type.
 */
function seesAllPosts(actor: Actor, { data }: WebhookEvent): boolean {
  const { parentType } = parse(data);
  return (['read', 'stream'] as const).every(
    (action) =>
      typeof parentType === 'string' &&
      ['all', 'yes'].includes(accessLevel(actor, parentType, action)),
  );
}

/** Attributes that tell nothing by themselves: an update of which only they are left would tell that there was one. */
const frame: ReadonlySet<string> = new Set(['id', 'modifiedById', 'modifiedByName']);

function withoutClosed(
  event: WebhookEvent,
  { actor, model, type }: Reader,
  { entity }: Pick<Directory, 'entity'>,
): WebhookEvent | undefined {
  const data = hideClosed(parse(event.data), { actor, model, sent: {} }, entity);
  const isChange = type === 'update' || type === 'fieldUpdate';
  if (isChange && Object.keys(data).every((name) => frame.has(name))) return undefined;
  const { read } = closedFields(actor, model);
  const previous = Object.entries(parse(event.previous)).filter(
    ([name]) => !read.has(model.attribute.get(name)?.field ?? ''),
  );
  return {
    ...event,
    data: JSON.stringify(data),
    previous: JSON.stringify(Object.fromEntries(previous)),
  };
}

function parse(json: string): Record<string, AttributeValue> {
  return JSON.parse(json) as Record<string, AttributeValue>;
}
