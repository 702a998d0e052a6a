import type { Directory } from '../directory/directory.ts';
import { namesIn } from '../directory/names-in.ts';
import type { EntityModel } from '../entity/model/entity-model.ts';
import { evolve } from '../record/evolve.ts';
import type { Change, RecordEvent } from '../record/record-event.ts';
import { toRecordBody } from '../record/to-record-body.ts';
import { type AttributeValues, sameValue } from '../value/attribute-values.ts';
import { modificationOf } from '../webhook/record/modification.ts';
import { firedBy, type Webhook, wasActiveAt } from '../webhook/record/webhook.ts';
import { relationChanges } from './relation-changes.ts';

/** A webhook that an event fires, and the data for its receiver. */
export interface Match {
  readonly webhook: Webhook;
  readonly data: AttributeValues;
  /** Old values of the changed attributes. */
  readonly previous: AttributeValues;
}

export interface LocatedRecordEvent {
  readonly event: RecordEvent;
  readonly partition: number;
  readonly offset: bigint;
}

/**
 * Returns the webhooks that an event fires. Webhooks are looked up by event name and, for `fieldUpdate`, by the changed
 * fields, so the cost grows with the matches and not with the number of webhooks. Payloads are built once per event
 * name.
 */
export function matchEvent(directory: Directory, located: LocatedRecordEvent): readonly Match[] {
  const { event } = located;
  const model = directory.entity(event.entityType);
  if (model === undefined) return [];
  const context = { model, event, changes: visibleChanges(model, event) };
  return eventNames(directory, context).flatMap((named) => {
    const webhooks = directory
      .webhooksFor(named.name)
      .filter((webhook) => concerns(webhook, located));
    if (webhooks.length === 0) return [];
    const content = payload(directory, context, named);
    return webhooks.map((webhook) => ({ webhook, ...content }));
  });
}

/** Matches the event with this webhook, even if the webhook was inactive at that time. */
export function matchWebhook(
  directory: Directory,
  webhook: Webhook,
  event: RecordEvent,
): Match | undefined {
  const model = directory.entity(event.entityType);
  if (model === undefined || isOwnChange(webhook, event)) return undefined;
  const context = { model, event, changes: visibleChanges(model, event) };
  const wanted = firedBy(webhook);
  const found = eventNames(directory, context).find(({ name }) => name === wanted);
  return found === undefined ? undefined : { webhook, ...payload(directory, context, found) };
}

/** Omits secret attributes, and attributes whose value did not change. */
function visibleChanges(model: EntityModel, { changes }: RecordEvent): readonly Change[] {
  return changes.filter(({ attribute, before, after }) => {
    const isSecret = model.attribute.get(attribute)?.isSecret === true;
    return !isSecret && !sameValue(before, after);
  });
}

interface MatchContext {
  readonly model: EntityModel;
  readonly event: RecordEvent;
  readonly changes: readonly Change[];
}

interface EventName {
  readonly name: string;
  /** The field of a `fieldUpdate`. */
  readonly field?: string;
  /** The data for events about links. */
  readonly data?: AttributeValues;
}

function eventNames(directory: Directory, context: MatchContext): readonly EventName[] {
  const relations = relationChanges(context, context.changes, directory.entity);
  const names = recordEventNames(context);
  return relations.length === 0 ? names : [...names, ...relations];
}

function recordEventNames({ model, event, changes }: MatchContext): readonly EventName[] {
  const { type, entityType } = event;
  switch (type) {
    case 'Created':
      return [{ name: `${entityType}.create` }];
    case 'Deleted':
      return [{ name: `${entityType}.delete` }];
    case 'Updated': {
      if (changes.length === 0) return [];
      const fields = new Set(
        changes.flatMap(({ attribute }) => model.attribute.get(attribute)?.field ?? []),
      );
      return [
        { name: `${entityType}.update` },
        ...[...fields].map((field) => ({ name: `${entityType}.fieldUpdate.${field}`, field })),
      ];
    }
  }
}

/**
 * True if the webhook was active when the event was written, and does not skip the event as a change made by its own
 * user.
 */
function concerns(webhook: Webhook, { event, partition, offset }: LocatedRecordEvent): boolean {
  return !isOwnChange(webhook, event) && wasActiveAt(webhook, partition, offset);
}

function isOwnChange({ skipOwn, userId }: Webhook, { actorId }: RecordEvent): boolean {
  return skipOwn && userId === actorId;
}

function oldValues(changes: readonly Change[]): AttributeValues {
  return Object.fromEntries(changes.map(({ attribute, before }) => [attribute, before]));
}

function payload(
  directory: Directory,
  context: MatchContext,
  { field, data }: EventName,
): Pick<Match, 'data' | 'previous'> {
  if (data !== undefined) return { data, previous: {} };
  const changes =
    field === undefined ? context.changes : changesOf(field, context.model, context.changes);
  return { data: recordData(directory, context, field), previous: oldValues(changes) };
}

function changesOf(field: string, model: EntityModel, changes: readonly Change[]) {
  return changes.filter(({ attribute }) => model.attribute.get(attribute)?.field === field);
}

function recordData(
  directory: Directory,
  { model, event, changes }: MatchContext,
  field: string | undefined,
): AttributeValues {
  const id = event.recordId;
  if (event.type === 'Deleted') return { id };
  const nameOf = namesIn(directory);
  if (event.type === 'Created') return toRecordBody(model, evolve(undefined, event), nameOf);
  // An event contains all attributes of a changed field, including unchanged attributes.
  const sent = field === undefined ? changes : changesOf(field, model, event.changes);
  const values = sent.map(({ attribute, after }) => [attribute, after] as const);
  return { id, ...Object.fromEntries(values), ...modificationOf(event, nameOf) };
}
