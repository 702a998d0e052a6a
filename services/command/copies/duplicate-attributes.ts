import { type Actor, mayEditField } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type FieldDefinition,
  fieldTypeOf,
  isCounted,
} from '../../../shared/domain/field/field-types.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';

/** Returns true if records of the entity type can be copied. */
export function hasCopies({ definition }: EntityModel): boolean {
  return definition.isObject && definition.log === 'records';
}

/**
 * Returns initial values of a copy of a record (docs/reference/actions.md#copies): all values that the actor may set in
 * a new record, with names of linked records. `record` has the values that the actor may see.
 */
export function duplicateAttributes({
  actor,
  model,
  record,
}: {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly record: AttributeValues;
}): AttributeValues {
  const copied = new Set(
    [...model.fields]
      .filter(([name, field]) => isCopied(field) && mayEditField(actor, model, name))
      .map(([name]) => name),
  );
  return Object.fromEntries(
    model.attributes
      .filter(({ field, name }) => copied.has(field) && Object.hasOwn(record, name))
      .map(({ name }) => [name, record[name] ?? null]),
  );
}

/** E-mail addresses and phone numbers identify a person, and numbers are unique: they are not copied. */
function isCopied(field: FieldDefinition): boolean {
  const { isIdentifying, isSecret } = fieldTypeOf(field);
  if (field.readOnly === true || field.notStored === true || isCounted(field)) return false;
  return isIdentifying !== true && isSecret !== true;
}
