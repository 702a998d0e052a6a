import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { linksOf } from '../../../shared/domain/entity/model/links.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { linkedBy } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import type { StreamItem } from './stream-item.ts';
import { type ItemContext, toItem } from './to-stream-items.ts';

/** A record that events of other records link. */
export interface Mentioned {
  readonly model: EntityModel;
  readonly id: string;
  readonly name: string | null;
}

/** The parts of the events' records that the reader may see. */
export interface MentionContext extends Omit<ItemContext, 'recordName'> {
  /** The names of the records that the reader may read, by id. */
  readonly names: ReadonlyMap<string, string | null>;
  readonly findModel: FindModel;
}

/** Returns the item in a record's stream for an event of another record that linked or unlinked it; at most one. */
export function toMentionItem(
  event: RecordEvent,
  record: Mentioned,
  context: MentionContext,
): readonly StreamItem[] {
  const { names, model } = context;
  if (!names.has(event.recordId)) return [];
  const mention = findMention(event, record, context);
  if (mention === undefined) return [];
  const { recordId: relatedId } = event;
  const relatedName = names.get(relatedId) ?? null;
  const item = toItem(event, context, {
    id: `${relatedId}.${event.version}.${record.id}`,
    type: mention.type,
    number: numberOfEvent(event, 0),
    data: {
      link: mention.link,
      relatedIds: [relatedId],
      relatedNames: { [relatedId]: relatedName },
    },
    parentType: record.model.name,
    parentId: record.id,
    parentName: record.name,
    relatedType: model.name,
    relatedId,
    relatedName,
  });
  return [item];
}

interface Mention {
  readonly type: 'CreateRelated' | 'Relate' | 'Unrelate';
  /** The name of the link on the record's side; null if that side has no such link. */
  readonly link: string | null;
}

/**
 * Returns a single mention for a record that is linked twice (for example as the primary one, and among others). It
 * counts as linked if one of the links exists.
 */
function findMention(
  event: RecordEvent,
  record: Mentioned,
  context: MentionContext,
): Mention | undefined {
  const found = event.changes.flatMap((change): readonly Mention[] => {
    const { added, removed } = linkedBy(change);
    const isAdded = added.includes(record.id);
    if (!isAdded && !removed.includes(record.id)) return [];
    const field = context.shown(change.attribute)?.field;
    if (field === undefined || !isMentionOf(event, field, { record, context })) return [];
    const linked = event.type === 'Created' ? 'CreateRelated' : 'Relate';
    return [{ type: isAdded ? linked : 'Unrelate', link: linkNameOf(field, { record, context }) }];
  });
  const related = found.filter(({ type }) => type !== 'Unrelate');
  const [first] = related.length > 0 ? related : found;
  return (related.length > 0 ? related : found).find(({ link }) => link !== null) ?? first;
}

interface Sides {
  readonly record: Mentioned;
  readonly context: MentionContext;
}

/** Returns whether a field links records of this type. Ids of other types are not mentions. */
function isMentionOf(event: RecordEvent, field: string, { record, context }: Sides): boolean {
  const definition = context.model.fields.get(field);
  const isParent = definition?.entityList !== undefined;
  if (!isParent) return definition?.entityType === record.model.name;
  const types = event.changes.find(({ attribute }) => attribute === `${field}Type`);
  return [types?.before, types?.after].includes(record.model.name);
}

function linkNameOf(field: string, { record, context }: Sides): string | null {
  const { findModel, model } = context;
  const links = [...linksOf(record.model, findModel).values()];
  const found = links.find(
    (link) => link.heldBy === 'other' && link.entityType === model.name && link.field === field,
  );
  return found?.name ?? null;
}
