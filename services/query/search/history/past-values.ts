import { mayReadField } from '../../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../../shared/domain/directory/names-in.ts';
import type { FindModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../../shared/domain/field/attribute.ts';
import type { RecordEvent } from '../../../../shared/domain/record/record-event.ts';
import { emptyValue } from '../../../../shared/domain/record/to-record-body.ts';
import {
  type AttributeValue,
  sameValue,
} from '../../../../shared/domain/value/attribute-values.ts';
import type { Reader } from '../../../../shared/search/record-view.ts';

/** What a reader may see of the events of records of one type. */
export interface EventView {
  /** Undefined for an attribute that the reader may not see, or that no longer exists. */
  readonly shown: (attribute: string) => Attribute | undefined;
  /** The user of an event, if the reader may see that. */
  readonly madeBy: (event: RecordEvent) => string | null;
  readonly userName: (id: string) => string | null;
}

export function eventViewOf(
  directory: Pick<Directory, 'record' | 'entity'>,
  { actor, model, view }: Reader,
): EventView {
  return {
    shown(name) {
      const attribute = model.attribute.get(name);
      if (attribute === undefined || !view.isVisibleInHistory(attribute)) return undefined;
      return isToldByHistory(attribute, directory.entity) ? attribute : undefined;
    },
    /** As visible as the record's creator or modifier. */
    madeBy({ type, actorId }) {
      const field = type === 'Created' ? 'createdBy' : 'modifiedBy';
      return actorId === actor.id || mayReadField(actor, model, field) ? actorId : null;
    },
    userName: (id) => namesIn(directory)('User', id) ?? null,
  };
}

/** A change with its values as single reads show them. */
export interface ShownChange {
  readonly attribute: Attribute;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}

/**
 * What a reader may see of the changes of an event, without those that it only lists for completeness: unchanged parts
 * of a field, empty values of a new record.
 */
export function shownChanges(
  { changes }: RecordEvent,
  { shown }: Pick<EventView, 'shown'>,
): readonly ShownChange[] {
  return changes.flatMap(({ attribute: name, before, after }) => {
    const attribute = shown(name);
    if (attribute === undefined) return [];
    const empty = emptyValue(attribute);
    const change = { attribute, before: before ?? empty, after: after ?? empty };
    return sameValue(change.before, change.after) ? [] : [change];
  });
}

/**
 * Whether the events of a record may answer for this attribute, as its table does. An attribute without a column only
 * had a default at the time, and a secret must not be revealed through the definition of another entity type.
 */
export function isToldByEvents(
  { stored, through, parent }: Attribute,
  findModel: FindModel,
): boolean {
  if (parent !== undefined) return true;
  if (through === undefined) return stored;
  return findModel(through.entityType)?.attribute.get(through.attribute)?.isSecret === false;
}

/** Whether changes of this attribute may be shown to users who see it: not those of secrets. */
export function isToldByHistory(attribute: Attribute, findModel: FindModel): boolean {
  return !attribute.isSecret && isToldByEvents(attribute, findModel);
}
