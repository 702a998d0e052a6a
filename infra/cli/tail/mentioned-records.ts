import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';

export interface MentionedRecord {
  readonly entityType: string;
  readonly id: string;
  /** The name in the event; undefined if it has none. */
  readonly name?: string | undefined;
}

/** Maps attributes with ids to the attributes with their names (`accountId` to `accountName`). */
export const nameAttributes = perModel((model): ReadonlyMap<string, Attribute> => {
  const named = model.attributes.flatMap((attribute) => {
    const { through, parent } = attribute;
    const isName = parent !== undefined || through?.attribute === 'name';
    const idAttribute = through?.idAttribute ?? parent?.idAttribute;
    return isName && idAttribute !== undefined ? [[idAttribute, attribute] as const] : [];
  });
  return new Map(named);
});

/** Returns all records in an event: its record, its user and administrator, and linked records before and after. */
export function mentionedRecords(
  event: RecordEvent,
  model: EntityModel | undefined,
): readonly MentionedRecord[] {
  const { entityType, recordId: id, actorId, administratorId } = event;
  return [
    { entityType, id, name: toName(changeOf(event, 'name')?.after) },
    { entityType: 'User', id: actorId },
    ...(administratorId === undefined ? [] : [{ entityType: 'User', id: administratorId }]),
    ...(model === undefined ? [] : linkedRecords(event, model)),
  ];
}

function linkedRecords(event: RecordEvent, model: EntityModel): readonly MentionedRecord[] {
  return event.changes.flatMap((change) => {
    const named = nameAttributes(model).get(change.attribute);
    if (named === undefined) return [];
    const names = changeOf(event, named.name);
    const type = changeOf(event, named.parent?.typeAttribute);
    return (['before', 'after'] as const).flatMap((when) => {
      const entityType = named.through?.entityType ?? type?.[when];
      if (typeof entityType !== 'string') return [];
      return toIds(change[when]).map((id) => ({
        entityType,
        id,
        name: toName(names?.[when], id),
      }));
    });
  });
}

function changeOf({ changes }: RecordEvent, attribute: string | undefined) {
  return changes.find((change) => change.attribute === attribute);
}

export function toIds(value: AttributeValue): readonly string[] {
  return [value].flat().filter((id) => typeof id === 'string');
}

/** Returns a single name, or the name of one of several ids. */
function toName(value: AttributeValue | undefined, id = ''): string | undefined {
  const name = typeof value === 'object' && value !== null ? Object(value)[id] : value;
  return typeof name === 'string' ? name : undefined;
}
