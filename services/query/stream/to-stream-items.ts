import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { noMarks } from '../../../shared/domain/stream/post-marks.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import { type AttributeValue, toObject } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { Reader, RecordView } from '../../../shared/search/record-view.ts';
import { textOrNull } from '../../../shared/search/run-statement.ts';
import {
  type EventView,
  eventViewOf,
  type ShownChange,
  shownChanges,
} from '../history/past-values.ts';
import type { StreamItem } from './stream-item.ts';

export interface ItemContext extends EventView {
  readonly model: EntityModel;
  /** Returns whether links to this entity type get separate items. */
  readonly isRelated: (entityType: string) => boolean;
  readonly recordName: string | null;
}

/** The content of one item for an event. */
type ItemContent = Pick<StreamItem, 'type' | 'data'> &
  Partial<Pick<StreamItem, 'relatedType' | 'relatedId' | 'relatedName'>>;

/** Returns the items in a record's stream for one of its events, newest first. Omits values that the reader may not see. */
export function toStreamItems(event: RecordEvent, context: ItemContext): readonly StreamItem[] {
  const contents = contentsOf(event, shownChanges(event, context), context);
  const { entityType: parentType, recordId: parentId } = event;
  const items = contents.map((one, index) => {
    const id = `${parentId}.${event.version}${index === 0 ? '' : `.${index}`}`;
    const number = numberOfEvent(event, index);
    const parentName = context.recordName;
    return toItem(event, context, { ...one, id, number, parentType, parentId, parentName });
  });
  return items.toReversed();
}

function contentsOf(
  { type }: RecordEvent,
  changes: readonly ShownChange[],
  context: ItemContext,
): readonly ItemContent[] {
  switch (type) {
    case 'Created':
      return [{ type: 'Create', data: { ...assignment(changes), ...status(changes, context) } }];
    case 'Updated': {
      const byField = Map.groupBy(changes, ({ attribute }) => attribute.field);
      const links = [...byField].filter(([field]) => isRelation(field, context));
      const own = [...byField].filter(
        ([field]) =>
          field !== 'assignedUser' &&
          !isRelation(field, context) &&
          !isRepetition(field, changes, context),
      );
      return [
        ...(own.length === 0 ? [] : [update(own)]),
        ...(byField.has('assignedUser')
          ? [{ type: 'Assign' as const, data: assignment(changes) }]
          : []),
        ...links.flatMap(([field, ofField]) => relations(field, ofField, context)),
      ];
    }
    case 'Deleted':
      return [];
  }
}

function isRelation(field: string, { model, isRelated }: ItemContext): boolean {
  const definition = model.fields.get(field);
  const isMany = definition !== undefined && fieldTypeOf(definition).relation === 'hasMany';
  return isMany && isRelated(definition.entityType ?? '');
}

/** True if a field only repeats the new value of the one it follows, such as the last stage of an opportunity. */
function isRepetition(
  name: string,
  changes: readonly ShownChange[],
  { model }: ItemContext,
): boolean {
  const source = model.fields.get(name)?.valueBy?.attribute;
  const after = (of: string | undefined) =>
    changes.find(({ attribute }) => attribute.name === of)?.after;
  return after(source) !== undefined && after(name) === after(source);
}

function assignment(changes: readonly ShownChange[]): StreamItem['data'] {
  const after = (name: string) => changes.find(({ attribute }) => attribute.name === name)?.after;
  const id = after('assignedUserId');
  if (id === undefined) return {};
  return { assignedUserId: id, assignedUserName: after('assignedUserName') ?? null };
}

function status(changes: readonly ShownChange[], { model }: ItemContext): StreamItem['data'] {
  const field = ['status', 'stage'].find((name) => model.fields.has(name));
  const found = changes.find(({ attribute }) => attribute.name === field);
  return found === undefined ? {} : { statusField: field, statusValue: found.after };
}

function update(byField: readonly (readonly [string, readonly ShownChange[]])[]): ItemContent {
  const changes = byField.flatMap(([, ofField]) => ofField);
  const values = (side: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.attribute.name, shorten(change[side])]));
  return {
    type: 'Update',
    data: {
      fields: byField.map(([field]) => field),
      attributes: { was: values('before'), became: values('after') },
    },
  };
}

/** Texts are truncated as in lists. The record and its history have the whole text. */
const MAX_TEXT_LENGTH = 10_000;

function shorten(value: AttributeValue): AttributeValue {
  if (typeof value !== 'string' || value.length <= MAX_TEXT_LENGTH) return value;
  // Copied, because a slice of a string keeps the whole string in memory.
  return structuredClone(value.slice(0, MAX_TEXT_LENGTH));
}

/** Returns items for linked and unlinked records. An item for a single record names that record. */
function relations(
  field: string,
  changes: readonly ShownChange[],
  { model }: ItemContext,
): readonly ItemContent[] {
  const of = (name: string) => changes.find(({ attribute }) => attribute.name === name);
  const ids = of(`${field}Ids`);
  const names = of(`${field}Names`);
  const [before, after] = [idsIn(ids?.before), idsIn(ids?.after)];
  const relatedType = model.fields.get(field)?.entityType ?? null;
  const one = (
    type: 'Relate' | 'Unrelate',
    related: readonly string[],
    named: unknown,
  ): ItemContent => {
    const namesById = toObject(named);
    const nameOf = (id: string) => textOrNull(namesById[id]);
    const [relatedId = null] = related.length === 1 ? related : [];
    return {
      type,
      relatedType,
      relatedId,
      relatedName: relatedId === null ? null : nameOf(relatedId),
      data: {
        link: field,
        relatedIds: related,
        relatedNames: Object.fromEntries(related.map((id) => [id, nameOf(id)])),
      },
    };
  };
  const added = after.filter((id) => !before.includes(id));
  const removed = before.filter((id) => !after.includes(id));
  return [
    ...(removed.length === 0 ? [] : [one('Unrelate', removed, names?.before)]),
    ...(added.length === 0 ? [] : [one('Relate', added, names?.after)]),
  ];
}

export function toItem(
  event: RecordEvent,
  { madeBy, userName }: EventView,
  parts: ItemContent & Pick<StreamItem, 'id' | 'number' | 'parentType' | 'parentId' | 'parentName'>,
): StreamItem {
  const at = formatDateTime(event.occurredAt);
  const createdById = madeBy(event);
  return {
    id: parts.id,
    type: parts.type,
    number: parts.number,
    post: null,
    data: parts.data,
    createdAt: at,
    createdById,
    createdByName: createdById === null ? null : userName(createdById),
    modifiedAt: at,
    parentType: parts.parentType,
    parentId: parts.parentId,
    parentName: parts.parentName,
    relatedType: parts.relatedType ?? null,
    relatedId: parts.relatedId ?? null,
    relatedName: parts.relatedName ?? null,
    attachmentsIds: [],
    attachmentsNames: {},
    attachmentsTypes: {},
    isInternal: false,
    ...noMarks,
  };
}

/** Returns which parts of an entity type's events a reader may see, by the same rules as in the history. */
export function contextFor(directory: Directory, reader: Reader): Omit<ItemContext, 'recordName'> {
  return {
    ...eventViewOf(directory, reader),
    model: reader.model,
    isRelated: (entityType) => directory.entity(entityType)?.definition.log === 'records',
  };
}

/** Returns SQL for the name of a record; null if the actor may not read the name. */
export function nameColumn(model: EntityModel, view: RecordView, alias: string): string {
  const isShown = model.attribute.get('name')?.stored === true && view.named(model, alias) !== null;
  return isShown ? `${alias}.name` : 'null::text';
}
