import { mayReadField } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { emptyValue } from '../../../shared/domain/record/to-record-body.ts';
import { type AttributeValue, sameValue } from '../../../shared/domain/value/attribute-values.ts';
import type { Reader } from '../../../shared/search/record-view.ts';

/** The parts of an entity type's events that a reader may see. */
export interface EventView {
  /** Returns undefined for an attribute that the reader may not see or that no longer exists. */
  readonly shown: (attribute: string) => Attribute | undefined;
  /** Returns the user who caused an event; null if the reader may not see the user. */
  readonly madeBy: (event: RecordEvent) => string | null;
  readonly userName: (id: string) => string | null;
}

export function eventViewOf(directory: Directory, { actor, model, view }: Reader): EventView {
  return {
    shown(name) {
      const attribute = model.attribute.get(name);
      if (attribute === undefined || !view.isVisibleInHistory(attribute)) return undefined;
      return isShownInHistory(attribute, directory.entity) ? attribute : undefined;
    },
    /** The user is as visible as the record's creator or modifier. */
    madeBy({ type, actorId }) {
      const field = type === 'Created' ? 'createdBy' : 'modifiedBy';
      return actorId === actor.id || mayReadField(actor, model, field) ? actorId : null;
    },
    userName: (id) => namesIn(directory)('User', id) ?? null,
  };
}

/** A change, with its values in the form that single reads return. */
export interface ShownChange {
  readonly attribute: Attribute;
  readonly before: AttributeValue;
  readonly after: AttributeValue;
}

/**
 * Returns the changes in an event that the reader may see, without entries that are in the event only for completeness:
 * unchanged parts of a field, and empty values of a new record.
 */
export function shownChanges(
  { changes }: RecordEvent,
  { shown }: EventView,
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
 * Returns whether an attribute's stored value can be restored from events. An attribute without a column only had a
 * default value at the time. Secrets are excluded, because the definition of another entity type must not reveal them.
 */
export function isRestorableFromEvents(
  { stored, through, parent }: Attribute,
  findModel: FindModel,
): boolean {
  if (parent !== undefined) return true;
  if (through === undefined) return stored;
  return findModel(through.entityType)?.attribute.get(through.attribute)?.isSecret === false;
}

/** Returns whether the history may show this attribute to users who may see it. Secrets are excluded. */
export function isShownInHistory(attribute: Attribute, findModel: FindModel): boolean {
  return !attribute.isSecret && isRestorableFromEvents(attribute, findModel);
}
