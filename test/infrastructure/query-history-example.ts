import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { mentionedIds } from '../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../shared/domain/stream/stream-number.ts';
import { encodeEvent } from '../../shared/events/log-entry-codec.ts';
import { aCreation, anUpdateAfter } from '../support/builders/record-event-builder.ts';
import type { QueryExample } from './query-example.ts';

const directory = createDirectory(stockDefinitions);

/** Stores a row, its history and the links in it as the projector does. */
export async function storeHistory(
  example: QueryExample,
  events: readonly RecordEvent[],
): Promise<string> {
  const last = events.at(-1);
  if (last === undefined) throw new Error('no events');
  const values = Object.fromEntries(
    events.flatMap(({ changes }) => changes.map(({ attribute, after }) => [attribute, after])),
  );
  const model = last.entityType;
  const columns = directory.entity(model)?.columns.map(({ name }) => name) ?? [];
  const stored = Object.entries(values).filter(([name]) => columns.includes(name));
  await example.store(model, {
    ...Object.fromEntries(stored),
    id: last.recordId,
    version: last.version,
    deleted: last.type === 'Deleted',
  });
  await storeEvents(example, events);
  for (const event of events) await storeMentions(example, event);
  return last.recordId;
}

async function storeMentions({ pool }: QueryExample, event: RecordEvent): Promise<void> {
  const definition = directory.entity(event.entityType)?.definition;
  for (const id of definition === undefined ? [] : mentionedIds(event, definition)) {
    await pool.query(
      'insert into annals.stream_mentions (record_id, number, entity_type, by_id, version) values ($1, $2, $3, $4, $5)',
      [id, numberOfEvent(event, 0), event.entityType, event.recordId, event.version],
    );
  }
}

/** Stores a history without the row of its record. */
export async function storeEvents(
  { pool }: QueryExample,
  events: readonly RecordEvent[],
): Promise<void> {
  for (const event of events) {
    const { entityType, recordId, version } = event;
    await pool.query(
      'insert into annals.record_history (entity_type, record_id, version, event) values ($1, $2, $3, $4)',
      [entityType, recordId, version, encodeEvent({ ...event, token: 't', sequence: 1 })],
    );
  }
}

/** Returns three versions, one second apart. */
export function lifeOfAnAccount(): readonly RecordEvent[] {
  const created = aCreation('Account', { name: 'One', contactIsInactive: false, teamsIds: [] });
  const renamed = anUpdateAfter(
    created,
    {},
    {
      changes: [
        { attribute: 'name', before: 'One', after: 'Two' },
        { attribute: 'website', before: null, after: null },
      ],
    },
  );
  const assigned = anUpdateAfter(renamed, {
    assignedUserId: 'u1',
    assignedUserName: 'Ann, then',
    billingAddressLatitude: 52.5,
  });
  return [created, renamed, assigned];
}
