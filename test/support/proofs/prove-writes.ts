import { expect } from 'vitest';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { LogReader } from '../log/log-reader.ts';
import type { AttemptedWrite, WriteKind } from '../write-load.ts';

const kinds = { Created: 'create', Updated: 'update', Deleted: 'delete' } as const;

/** Returns the unique key of the write that an event of the load belongs to. */
export function keyOfEvent({ type, recordId, changes }: LoggedEvent): string {
  return keyOf(kinds[type], recordId, changes[0]?.after);
}

function keyOf(kind: WriteKind, recordId: string | undefined, value: unknown): string {
  // A creation is identified by its name, because without a response the client has no id.
  return kind === 'create'
    ? `create ${value}`
    : `${kind} ${recordId} ${kind === 'update' ? value : ''}`;
}

/**
 * Checks that the log contains each acknowledged write once, each other write at most once, and nothing else
 * except its content before the first write.
 */
export async function proveLog(
  log: Pick<LogReader, 'events'>,
  topic: string,
  writes: readonly AttemptedWrite[],
  stoodBefore: ReadonlySet<string> = new Set(),
): Promise<readonly LoggedEvent[]> {
  const events = (await log.events(topic)).filter(({ eventId }) => !stoodBefore.has(eventId));
  const inLog = Map.groupBy(events, keyOfEvent);
  const toKey = ({ kind, recordId, value }: AttemptedWrite) => keyOf(kind, recordId, value);
  const acknowledged = writes.filter(({ outcome }) => outcome === 'acknowledged');

  const lost = acknowledged.filter((write) => !inLog.has(toKey(write)));
  expect(lost, 'acknowledged writes that are missing in the log').toEqual([]);
  const doubled = [...inLog].filter(([, found]) => found.length > 1).map(([key]) => key);
  expect(doubled, 'writes that are in the log twice').toEqual([]);
  const sent = new Set(writes.map(toKey));
  const unsent = [...inLog.keys()].filter((key) => !sent.has(key));
  expect(unsent, 'events without a request').toEqual([]);

  const creations = acknowledged.filter(({ kind }) => kind === 'create');
  for (const write of creations) {
    expect(inLog.get(toKey(write))?.[0]?.recordId).toBe(write.recordId);
  }
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(events.length);
  return events;
}

interface ProjectedAccount {
  readonly id: string;
  readonly version: number;
  readonly deleted: boolean;
  readonly name: unknown;
  readonly description: unknown;
}

/** Returns the expected read model, by id: the fold of the log. Throws if versions of a record have a gap. */
export function foldAccounts(events: readonly LoggedEvent[]): readonly ProjectedAccount[] {
  const accounts = new Map<string, ProjectedAccount>();
  for (const { recordId: id, version, type, changes } of events) {
    const before = accounts.get(id);
    expect(version, `version of ${id}`).toBe((before?.version ?? 0) + 1);
    const after = (attribute: 'name' | 'description') =>
      changes.find((change) => change.attribute === attribute)?.after ??
      before?.[attribute] ??
      null;
    accounts.set(id, {
      id,
      version,
      deleted: type === 'Deleted',
      name: after('name'),
      description: after('description'),
    });
  }
  return [...accounts.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1));
}

/**
 * Checks that Postgres has each record once, with its last values, a history without gaps, and the right
 * count.
 */
export async function proveReadModel(
  databaseUrl: string,
  events: readonly LoggedEvent[],
): Promise<void> {
  const accounts = foldAccounts(events);
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      'select id, version, deleted, name, description from annals.account order by id collate "C"',
    );
    expect(rows).toEqual(accounts);
    const history = await client.query(
      `select record_id as id, count(*)::int as entries, min(version) as first, max(version) as last
       from annals.record_history where entity_type = 'Account' group by record_id order by record_id collate "C"`,
    );
    expect(history.rows).toEqual(
      accounts.map(({ id, version }) => ({ id, entries: version, first: 1, last: version })),
    );
    const counts = await client.query(
      `select sum(live)::int as live from annals.entity_counts where entity_type = 'Account'`,
    );
    expect(counts.rows).toEqual([{ live: accounts.filter(({ deleted }) => !deleted).length }]);
    const rejected = await client.query('select * from annals.rejected_entries');
    expect(rejected.rows).toEqual([]);
  });
}
