import { type Actor, mayReadField } from '../../../../shared/domain/access/actor.ts';
import type {
  EntityModel,
  FindModel,
} from '../../../../shared/domain/entity/model/entity-model.ts';
import type { Attribute } from '../../../../shared/domain/field/attribute.ts';
import type { RecordEvent } from '../../../../shared/domain/record/record-event.ts';

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
  const target = findModel(through.entityType);
  const shown = target?.attribute.get(through.attribute);
  return target !== undefined && shown !== undefined && !shown.isSecret;
}

/** Whether changes of this attribute may be shown to users who see it: not those of secrets. */
export function isToldByHistory(attribute: Attribute, findModel: FindModel): boolean {
  return !attribute.isSecret && isToldByEvents(attribute, findModel);
}

/** The user of an event, as visible to a reader as the record's creator or modifier. Null if that is closed. */
export function makerOf(
  { type, actorId }: Pick<RecordEvent, 'type' | 'actorId'>,
  { actor, model }: { readonly actor: Actor; readonly model: EntityModel },
): string | null {
  const field = type === 'Created' ? 'createdBy' : 'modifiedBy';
  return actorId === actor.id || mayReadField(actor, model, field) ? actorId : null;
}
