import type { Directory } from '../directory/directory.ts';
import type { EntityModel } from '../entity/entity-model.ts';
import { type FieldProblem, Refusal } from '../errors.ts';
import { isEventType, type WebhookEventType } from './webhook.ts';

export interface EventName {
  readonly entityType: string;
  readonly type: WebhookEventType;
  readonly field: string | null;
}

/**
 * `Account.create`, `.update`, `.delete`, `.fieldUpdate.<field>`, case-sensitive. Answers the problem when the entity
 * type, the kind of event or the field does not exist (webhooks.md section 1). An attribute of a field names the field.
 */
export function parseEventName(directory: Directory, event: string): EventName | FieldProblem {
  const [entityType = '', type = '', field, ...rest] = event.split('.');
  const model = directory.entity(entityType);
  if (model === undefined || !isWatchable(model)) {
    return problem(
      'entityType',
      `Entity type '${shorten(entityType)}' is not available for webhooks.`,
    );
  }
  if (!isEventType(type) || rest.length > 0 || (type !== 'fieldUpdate' && field !== undefined)) {
    return problem('valid', `Event '${shorten(event)}' is not supported.`);
  }
  if (type !== 'fieldUpdate') return { entityType, type, field: null };
  const known = model.fields.has(field ?? '') ? field : model.attribute.get(field ?? '')?.field;
  if (known === undefined) {
    return problem('field', `Field '${shorten(field ?? '')}' of ${entityType} does not exist.`);
  }
  return { entityType, type, field: known };
}

function isWatchable({ definition }: EntityModel): boolean {
  return definition.isObject || definition.isWatchable === true;
}

export function isProblem(parsed: EventName | FieldProblem): parsed is FieldProblem {
  return 'message' in parsed;
}

/** A caller may watch only what they may read. */
export function forbiddenEvent(entityType: string): Refusal {
  return new Refusal(
    'forbidden',
    'webhook.entity_forbidden',
    `Entity type is forbidden: no read access to ${entityType}.`,
  );
}

function problem(type: string, message: string): FieldProblem {
  return { field: 'event', type, message };
}

function shorten(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 50);
}
