import pg, { type Client } from 'pg';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { type AttributeValue, toObject } from '../../../shared/domain/value/attribute-values.ts';

type NamedRecord = Pick<MentionedRecord, 'entityType' | 'id'>;

export interface RecordNames {
  /** Queries Postgres for names that are not yet known. */
  lookUp(events: readonly RecordEvent[]): Promise<void>;
  /** Stores the names in an event, which were current at the time of the event. */
  learn(event: RecordEvent): void;
  of(record: NamedRecord): string | undefined;
  close(): Promise<void>;
}

/**
 * The maximum number of cached names. The log may contain millions, so the cache is cleared when it exceeds this
 * number.
 */
const MAX_KNOWN = 50_000;
const RECONNECT_AFTER_MS = 30_000;

/**
 * Finds names of records for display. The names of users, teams and roles come from the directory. Other names come
 * from the events read so far, or else from Postgres, which contains the current ones. If Postgres does not respond,
 * some ids have no name.
 */
export function createRecordNames(
  directory: Directory,
  connect: () => Promise<Client>,
): RecordNames {
  const known = new Map<string, string>();
  const queryNames = createNameQuery(connect);
  const mentioned = (event: RecordEvent) =>
    mentionedRecords(event, directory.entity(event.entityType));
  const inDirectory = ({ entityType, id }: NamedRecord): string | undefined => {
    const { name, userName } = directory.record(entityType, id)?.values ?? {};
    return [name, userName].find((text) => typeof text === 'string');
  };
  const remember = (record: NamedRecord, name: string | null | undefined): void => {
    if (typeof name === 'string') known.set(toKey(record), name);
  };
  const isLacking = (one: MentionedRecord): boolean =>
    one.name === undefined &&
    directory.entity(one.entityType)?.definition.log !== 'directory' &&
    directory.entity(one.entityType)?.attribute.get('name')?.stored === true &&
    !known.has(toKey(one));

  return {
    async lookUp(events) {
      if (known.size > MAX_KNOWN) known.clear();
      const lacking = events.flatMap(mentioned).filter(isLacking);
      for (const [entityType, records] of Map.groupBy(lacking, (one) => one.entityType)) {
        const ids = [...new Set(records.map(({ id }) => id))];
        for (const { id, name } of await queryNames(entityType, ids))
          remember({ entityType, id }, name);
      }
    },
    learn(event) {
      for (const record of mentioned(event)) remember(record, record.name);
    },
    of: (record) => known.get(toKey(record)) ?? inDirectory(record),
    close: () => queryNames.close(),
  };
}

const toKey = ({ entityType, id }: NamedRecord): string => `${entityType} ${id}`;

/** A failed query for names does not fail the command. */
function createNameQuery(connect: () => Promise<Client>) {
  let client: Client | undefined;
  let notBefore = 0;

  async function query(entityType: string, ids: readonly string[]) {
    if (Date.now() < notBefore) return [];
    try {
      client ??= await connect();
      const { rows } = await client.query<{ id: string; name: string | null }>(
        `select id, name from ${liveTable(entityType)} where id = any($1)`,
        [ids],
      );
      return rows;
    } catch (error) {
      // A missing table must not prevent queries for other types.
      if (error instanceof pg.DatabaseError) return [];
      notBefore = Date.now() + RECONNECT_AFTER_MS;
      await close();
      return [];
    }
  }

  async function close(): Promise<void> {
    const open = client;
    client = undefined;
    await open?.end().catch(() => undefined);
  }
  return Object.assign(query, { close });
}

interface MentionedRecord {
  readonly entityType: string;
  readonly id: string;
  /** The name in the event; undefined if the event contains no name. */
  readonly name?: string | undefined;
}

/**
 * Maps attributes that contain ids to the attributes that contain the names for them (`accountId` to `accountName`).
 */
export const nameAttributes = perModel((model): ReadonlyMap<string, Attribute> => {
  const named = model.attributes.flatMap((attribute) => {
    const { through, parent } = attribute;
    const isName = parent !== undefined || through?.attribute === 'name';
    const idAttribute = through?.idAttribute ?? parent?.idAttribute;
    return isName && idAttribute !== undefined ? [[idAttribute, attribute] as const] : [];
  });
  return new Map(named);
});

/**
 * Returns all records that an event mentions: its own, its user and administrator, and the linked records before and
 * after.
 */
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

/** Returns the value if it is a name, or the name for `id` if it maps ids to names. */
function toName(value: AttributeValue | undefined, id = ''): string | undefined {
  const name = typeof value === 'object' ? toObject(value)[id] : value;
  return typeof name === 'string' ? name : undefined;
}
