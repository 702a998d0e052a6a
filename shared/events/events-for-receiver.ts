import { type Actor, accessLevel } from '../domain/access/actor.ts';
import { dropClosed, hideClosed, hidesNothing } from '../domain/access/hide-closed.ts';
import { mayReadLink } from '../domain/access/may-read-link.ts';
import { ownerAttributes, reaches } from '../domain/access/record-access.ts';
import { isAddressed } from '../domain/access/stream-access.ts';
import { actingUser } from '../domain/directory/acting-user.ts';
import type { Directory } from '../domain/directory/directory.ts';
import type { EntityModel, FindModel } from '../domain/entity/model/entity-model.ts';
import { linksOf } from '../domain/entity/model/links.ts';
import { modificationAttributes } from '../domain/webhook/record/modification.ts';
import { isRelationType, type Webhook } from '../domain/webhook/record/webhook.ts';
import { readPayload, type WebhookEvent } from './webhook-batch-codec.ts';

/** The reason for dropping events that the webhook's user is not allowed to read at the time of sending. */
export const notReadable = 'not readable for the webhook user';

/** The part of the directory that determines what a receiver may read. */
export type ReceiverDirectory = Pick<Directory, 'record' | 'entity' | 'actor'>;

/**
 * Returns the events of a batch that the webhook's API user may read, without attributes of closed fields. Uses the
 * current roles, but the record's owner and teams at the time of the event. A webhook without a user gets all events.
 * Throws UnreadableMessage if a payload that must be filtered is invalid.
 */
export function eventsForReceiver(
  events: readonly WebhookEvent[],
  webhook: Pick<Webhook, 'userId' | 'entityType' | 'type' | 'field'>,
  directory: ReceiverDirectory,
): readonly WebhookEvent[] {
  const { userId, entityType } = webhook;
  if (userId === null) return events;
  const actor = actingUser(directory, userId);
  const model = directory.entity(entityType);
  if (actor === undefined || model === undefined) return [];
  return eventsForReader(events, { ...webhook, actor, model }, directory);
}

interface Reader {
  readonly type: Webhook['type'];
  readonly field: string | null;
  readonly actor: Actor;
  readonly model: EntityModel;
}

/** Like eventsForReceiver, for any actor. */
export function eventsForReader(
  events: readonly WebhookEvent[],
  reader: Reader,
  directory: Pick<Directory, 'entity'>,
): readonly WebhookEvent[] {
  const { actor, model } = reader;
  if (isRelationType(reader.type)) {
    return events.filter((event) => mayReadRelation(reader, event, directory.entity));
  }
  const readable = events.filter((event) => mayRead(actor, model, event));
  if (hidesNothing(actor, model, directory.entity)) return readable;
  return readable.flatMap((event) => withoutClosed(event, reader, directory.entity) ?? []);
}

function mayRead(actor: Actor, model: EntityModel, event: WebhookEvent): boolean {
  if (model.definition.isPost === true && mayReadPost(actor, event)) return true;
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
 * Only the event that creates a post names its addressees and the type of its parent, and no event names the parent's
 * owner. Users other than the author therefore receive only the creation, and only if the post is addressed to them or
 * if they see the streams of all records of the parent's type.
 */
function mayReadPost(actor: Actor, { data }: WebhookEvent): boolean {
  const payload = readPayload(data);
  if (isAddressed(actor, payload)) return true;
  const { parentType } = payload;
  return (['read', 'stream'] as const).every(
    (action) =>
      typeof parentType === 'string' &&
      ['all', 'yes'].includes(accessLevel(actor, parentType, action)),
  );
}

/**
 * The event belongs to the record that stores the link and contains only that record's ownership. The owners of the
 * record on the other side are unknown, so the user must be allowed to read all records on that side.
 */
function mayReadRelation(
  { actor, model, field }: Reader,
  event: WebhookEvent,
  findModel: FindModel,
): boolean {
  const link = linksOf(model, findModel).get(field ?? '');
  if (link === undefined || !mayReadLink(actor, { model, link: link.name }, findModel))
    return false;
  const holder = link.heldBy === 'self' ? model : findModel(link.entityType ?? '');
  if (holder === undefined || !mayRead(actor, holder, event)) return false;
  return holder === model || accessLevel(actor, model.name, 'read') === 'all';
}

/**
 * Attributes that carry no information on their own: an update reduced to them would only reveal that something
 * changed.
 */
const frame: ReadonlySet<string> = new Set(['id', ...modificationAttributes]);

function withoutClosed(
  event: WebhookEvent,
  { actor, model, type }: Reader,
  findModel: FindModel,
): WebhookEvent | undefined {
  const data = hideClosed(readPayload(event.data), { actor, model, sent: {} }, findModel);
  const isChange = type === 'update' || type === 'fieldUpdate';
  if (isChange && Object.keys(data).every((name) => frame.has(name))) return undefined;
  const previous = dropClosed(readPayload(event.previous), { actor, model }, findModel);
  return { ...event, data: JSON.stringify(data), previous: JSON.stringify(previous) };
}
