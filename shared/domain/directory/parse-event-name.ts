import type { EntityModel } from '../entity/model/entity-model.ts';
import { linksOf } from '../entity/model/links.ts';
import { type FieldProblem, Refusal } from '../errors.ts';
import { printable } from '../printable.ts';
import { isEventType, isRelationType, type WebhookEventType } from '../webhook/record/webhook.ts';
import type { Directory } from './directory.ts';

export interface EventName {
  readonly entityType: string;
  readonly type: WebhookEventType;
  /** The field for `fieldUpdate`, or the link for `relate` and `unrelate`. */
  readonly field: string | null;
}

/**
 * Parses `Account.create`, `.update`, `.delete`, `.fieldUpdate.<field>`, `.relate.<link>` or `.unrelate.<link>`
 * (case-sensitive). Returns a problem if the entity type, event type, field or link does not exist. The name of one of
 * its attributes is also accepted in place of a field.
 */
export function parseEventName(directory: Directory, event: string): EventName | FieldProblem {
  const [entityType = '', type = '', name, ...rest] = event.split('.');
  const model = directory.entity(entityType);
  if (model === undefined || !isWatchable(model.definition)) {
    return notWatchable(model, entityType);
  }
  if (!isEventType(type) || rest.length > 0 || (!isNamed(type) && name !== undefined)) {
    return problem('valid', `Event '${printable(event)}' is not supported.`);
  }
  if (!isNamed(type)) return { entityType, type, field: null };
  const field = isRelationType(type)
    ? linksOf(model, directory.entity).get(name ?? '')?.name
    : fieldNamed(model, name ?? '');
  if (field !== undefined) return { entityType, type, field };
  const kind = isRelationType(type) ? 'Link' : 'Field';
  return problem('field', `${kind} '${printable(name ?? '')}' of ${entityType} does not exist.`);
}

function notWatchable(model: EntityModel | undefined, entityType: string): FieldProblem {
  const reason = model === undefined ? '' : ': webhooks only support types of business records';
  const message = `Entity type '${printable(entityType)}' is not available for webhooks${reason}.`;
  return problem('entityType', message);
}

function isNamed(type: WebhookEventType): boolean {
  return type === 'fieldUpdate' || isRelationType(type);
}

function fieldNamed(model: EntityModel, name: string): string | undefined {
  return model.fields.has(name) ? name : model.attribute.get(name)?.field;
}

/** True if webhooks can subscribe to events of this entity type. */
export function isWatchable({ isObject, isWatchable }: EntityModel['definition']): boolean {
  return isObject || isWatchable === true;
}

export function isProblem(parsed: EventName | FieldProblem): parsed is FieldProblem {
  return 'message' in parsed;
}

/** Rejects a subscription to an entity type that the caller may not read. */
export function forbiddenEvent(entityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'webhook.entity_forbidden',
    `Entity type is forbidden: no read access to ${entityType}.`,
  );
}

function problem(type: FieldProblem['type'], message: string): FieldProblem {
  return { field: 'event', type, message };
}
