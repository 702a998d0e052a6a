import { type Actor, accessLevel, mayReadField } from '../../../shared/domain/access/actor.ts';
import { mayReadLink } from '../../../shared/domain/access/may-read-link.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import {
  type EventName,
  forbiddenEvent,
  isProblem,
  parseEventName,
} from '../../../shared/domain/directory/parse-event-name.ts';
import { requireWebhook } from '../../../shared/domain/directory/require-webhook.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { isRelationType } from '../../../shared/domain/webhook/record/webhook.ts';
import type { CommandContext } from '../context.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';

/**
 * Rejects active webhooks above the limit. The check is exact under concurrency, because the owner of the directory
 * decides one command at a time with all log entries applied.
 */
export function requireBelowLimit(
  { config, directory }: CommandContext,
  { userId, isActive }: AttributeValues,
  before?: RecordState,
): void {
  if (typeof userId !== 'string' || isActive !== true) return;
  if (before?.values['isActive'] === true && before.values['userId'] === userId) return;
  const active = directory
    .records('Webhook')
    .filter(({ values }) => values['userId'] === userId && values['isActive'] === true);
  const { maxWebhooksPerUser } = config;
  if (active.length < maxWebhooksPerUser) return;
  throw new Refusal(
    'forbidden',
    'webhook.too_many',
    `Webhook number per user exceeded the limit of ${maxWebhooksPerUser} active ones.`,
  );
}

/** Returns the event in a body. A refusal lists all problems with the body. */
export function requireEvent(
  directory: Directory,
  given: {
    readonly model: EntityModel;
    readonly problems: readonly FieldProblem[];
    readonly event: unknown;
  },
): EventName {
  const parsed = parseEventName(directory, String(given.event ?? ''));
  const isKnownBad = given.problems.some(({ field }) => field === 'event');
  if (!isProblem(parsed)) {
    refuseProblems(given.model, given.problems);
    return parsed;
  }
  refuseProblems(given.model, isKnownBad ? given.problems : [parsed, ...given.problems]);
  throw validationFailure(given.model.name, [parsed]);
}

export function requireReadableEvents(
  actor: Actor,
  { entityType, type, field }: EventName,
  directory: Directory,
): void {
  const level = accessLevel(actor, entityType, 'read');
  if (level === 'no') throw forbiddenEvent(entityType);
  const model = directory.entity(entityType);
  if (model === undefined || field === null) return;
  const isReadable = isRelationType(type)
    ? mayReadLink(actor, { model, link: field }, directory.entity)
    : mayReadField(actor, model, field);
  if (isReadable) return;
  throw new Refusal('forbidden', 'webhook.field_forbidden', 'Field is forbidden.');
}

/** Like `requireWebhook`, but also rejects deleted webhooks, which administrators would otherwise see. */
export function requireLiveWebhook(directory: Directory, actor: Actor, id: string): RecordState {
  const webhook = requireWebhook(directory, actor, id);
  if (!webhook.deleted) return webhook;
  throw new Refusal('not_found', 'record.not_found', 'Webhook not found.');
}

export function requireOwn(actor: Actor, { values }: RecordState): void {
  if (actor.type !== 'admin' && values['userId'] !== actor.id) {
    throw new Refusal('forbidden', 'access.denied', 'No edit access.');
  }
}

/** Rejects administrators who change the event. For other users the new event is ignored. */
export function requireSameEvent(actor: Actor, { values }: RecordState, event: unknown): void {
  if (actor.type === 'admin' && event !== undefined && event !== values['event']) {
    throw new Refusal('forbidden', 'webhook.event_fixed', "Event can't be changed.");
  }
}
