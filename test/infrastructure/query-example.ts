import pg from 'pg';
import { pino } from 'pino';
import { ensureTables } from '../../services/projector/tables/ensure-tables.ts';
import { registerQueryRoutes } from '../../services/query/routes.ts';
import { createPool } from '../../shared/db/pool.ts';
import {
  columnName,
  liveSchema,
  quotedTable,
  quoteName,
} from '../../shared/db/tables/read-model-names.ts';
import { type Actor, buildActor } from '../../shared/domain/access/actor.ts';
import {
  createDirectory,
  type Directory,
  entityDefinitionType,
} from '../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../shared/domain/value/attribute-values.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { createPrepare } from '../../shared/search/run-statement.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { queryContext } from '../support/builders/query-context.ts';
import { createTestDatabase } from '../support/harness/test-database.ts';

export const secrets = createSecretBox('ab'.repeat(32));

const levels = { create: 'yes', read: 'all', edit: 'all', delete: 'all' };
const everything = { Account: levels, Contact: levels, Lead: levels, Case: levels, Webhook: true };

function actor(
  id: string,
  type: Actor['type'],
  data: AttributeValues,
  fieldData: AttributeValues = {},
): Actor {
  const values = { data, fieldData };
  const role = { entityType: 'Role', id: 'r', version: 1, deleted: false, values };
  return buildActor({ id, name: id, userName: id, type, teamIds: [] }, [role]);
}

const admin = actor('admin', 'admin', {});
const actors = new Map<string, Actor>(
  [
    actor('api', 'api', everything),
    actor('regular', 'regular', everything),
    actor('narrow', 'api', { Account: { read: 'no' }, Contact: levels }),
  ].map((one) => [one.id, one]),
);

/** Starts a server with the query routes on a new database, whose tables the test fills directly. */
export async function startQueryExample(databaseUrl: string) {
  const database = await createTestDatabase(databaseUrl);
  const pool = createPool({ url: database.url, poolSize: 4, applicationName: 'query-test' });
  pool.on('error', () => {});
  const directory = createDirectory(stockDefinitions);
  const addToDirectory = createAddToDirectory(directory);
  const searchers: string[] = [];
  const prepared: string[] = [];
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  const context = queryContext({
    pool,
    searchPool: {
      prepare: createPrepare(),
      of: ({ id }) => ({
        query(statement) {
          searchers.push(id);
          if (statement.name !== undefined) prepared.push(statement.name);
          return pool.query(statement);
        },
      }),
    },
    directory,
    openSecret: secrets.tryOpen,
    authenticate: async ({ headers }) => actors.get(String(headers['x-actor'])) ?? admin,
  });
  registerQueryRoutes(server, context);

  return {
    pool,
    directory,
    addToDirectory,
    /** Adds an actor that `x-actor` can name. */
    addActor: (who: Actor) => actors.set(who.id, who),
    /** Adds an API user with this id as an actor, with a role that has these permissions. */
    addActorWithRole: (id: string, data: AttributeValues, fieldData?: AttributeValues) =>
      actors.set(id, actor(id, 'api', data, fieldData)),
    defineFields: (entityType: string, fields: AttributeValues) =>
      addToDirectory(entityDefinitionType, entityType, { fields }),
    createTables: async () => createTables(database.url, directory.entities()),
    /** Stores a row as the projector does, and counts it unless it is deleted. */
    store: async (entityType: string, values: StoredValues) =>
      storeRow(pool, directory.entity(entityType), values),
    async get(path: string, headers: Readonly<Record<string, string>> = {}) {
      const response = await server.inject({ url: `/api/v1${path}`, headers });
      return {
        status: response.statusCode,
        reason: response.headers['x-status-reason'],
        headers: response.headers,
        text: response.body,
        body: response.json(),
      };
    },
    /** Returns the user of each search statement since the last call. */
    takeSearchers: () => searchers.splice(0),
    /** Returns the names of prepared search statements since the last call. */
    takePrepared: () => prepared.splice(0),
    dropDatabase: database.drop,
    async close() {
      await server.close();
      await pool.end();
      await database.drop();
    },
  };
}

export type QueryExample = Awaited<ReturnType<typeof startQueryExample>>;
type StoredValues = AttributeValues & { readonly id: string };

/** Adds records to the directory only, as if they had been read from its log. */
function createAddToDirectory(directory: Directory) {
  let events = 0;
  return (entityType: string, recordId: string, values: AttributeValues): void => {
    events += 1;
    directory.apply({
      eventId: `${events}`,
      entityType,
      recordId,
      version: events,
      type: 'Created',
      occurredAt: 0,
      actorId: 'system',
      commandId: null,
      commandHash: null,
      correlationId: null,
      access: { assignedUserId: null, createdById: null, teamIds: [] },
      changes: Object.entries(values).map(([attribute, after]) => ({
        attribute,
        before: null,
        after,
      })),
    });
  };
}

async function createTables(url: string, models: readonly EntityModel[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await ensureTables(client, { schema: liveSchema, models, isIndexed: true });
  await client.end();
}

async function storeRow(
  pool: pg.Pool,
  model: EntityModel | undefined,
  values: StoredValues,
): Promise<void> {
  if (model === undefined) throw new Error('no such entity type');
  const row = { version: 1, deleted: false, createdAt: '2030-01-01 10:00:00', ...values };
  const columns = Object.keys(row).map((name) => quoteName(columnName(name)));
  const isJson = (name: string) => model.attribute.get(name)?.kind === 'json';
  await pool.query(
    `insert into ${quotedTable(liveSchema, model.name)} (${columns.join(', ')})
     values (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.entries(row).map(([name, value]) => (isJson(name) ? JSON.stringify(value) : value)),
  );
  if (row.deleted) return;
  await pool.query(
    `insert into ${quoteName(liveSchema)}.entity_counts as c values ($1, 0, 1)
     on conflict (entity_type, partition) do update set live = c.live + 1`,
    [model.name],
  );
}
