import type { Client } from 'pg';
import { liveSchema, webhookSchema } from '../../../shared/db/tables/read-model-names.ts';
import { checkClock } from './check-clock.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('Postgres');

const TESTED_VERSION = 18;
/** The oldest version that still gets fixes. */
const LEAST_VERSION = 15;
/** The connections of one api: those for reads, those for searches, and one that listens for notifications. */
const LEAST_CONNECTIONS = 20;

/** Checks the version and settings of Postgres, the permissions of the user, and the clock. */
export async function checkPostgres(client: Client): Promise<readonly Finding[]> {
  const server = await readServer(client);
  return [
    checkVersion(server),
    checkText(server),
    checkDurability(server),
    checkConnections(server),
    checkRole(server),
    await checkRights(client),
    await checkTrigrams(client),
    await checkServerClock(client),
  ];
}

interface Server {
  readonly version: number;
  readonly encoding: string;
  readonly collation: string;
  readonly isCollationChanged: boolean;
  readonly fsync: string;
  readonly fullPageWrites: string;
  readonly synchronousCommit: string;
  readonly maxConnections: number;
  readonly connections: number;
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
}

async function readServer(client: Client): Promise<Server> {
  const { rows } = await client.query<Server>(`
    select current_setting('server_version_num')::int / 10000 as version,
      pg_encoding_to_char(encoding) as encoding,
      coalesce(to_jsonb(d) ->> 'datlocale', to_jsonb(d) ->> 'daticulocale', datcollate) as collation,
      coalesce(to_jsonb(d) ->> 'datcollversion' <> pg_database_collation_actual_version(d.oid), false)
        as "isCollationChanged",
      current_setting('fsync') as fsync,
      current_setting('full_page_writes') as "fullPageWrites",
      current_setting('synchronous_commit') as "synchronousCommit",
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        as "maxConnections",
      (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as connections,
      pg_is_in_recovery() as "isStandby",
      current_setting('default_transaction_read_only')::boolean as "isReadOnly"
    from pg_database d where datname = current_database()`);
  const [server] = rows;
  if (server === undefined) throw new Error('pg_database has no row for the current database');
  return server;
}

function checkVersion({ version }: Server): Finding {
  const parameters = { version, tested: TESTED_VERSION };
  if (version >= TESTED_VERSION) {
    return ok({ code: 'postgres.version', says: `Postgres is version ${version}.`, parameters });
  }
  const remedy = `upgrade it to ${TESTED_VERSION}: on an empty database the read model is rebuilt from Kafka`;
  return version < LEAST_VERSION
    ? fault({
        code: 'postgres.tooOld',
        says: `Postgres is version ${version}, which no longer gets fixes.`,
        remedy,
        parameters,
      })
    : warning({
        code: 'postgres.untested',
        says: `Postgres is version ${version}, with which Annals is not tested.`,
        remedy,
        parameters,
      });
}

const byBytes = /^(?:C|POSIX|C[.]UTF-?8)$/i;

function checkText({ encoding, collation, isCollationChanged }: Server): Finding {
  const newDatabase =
    "run create database annals encoding 'UTF8' locale_provider builtin builtin_locale 'C.UTF-8' template template0, name it in DATABASE_URL, and run annals rebuild";
  if (encoding !== 'UTF8') {
    return fault({
      code: 'postgres.encoding',
      says: `Postgres stores text as ${encoding}, not as UTF8.`,
      remedy: newDatabase,
      parameters: { encoding },
    });
  }
  const parameters = { collation };
  if (isCollationChanged) {
    return fault({
      code: 'postgres.collationChanged',
      says: `Postgres sorts by ${collation}, whose rules have changed since its indexes were built.`,
      remedy: 'run alter database … refresh collation version, and annals rebuild',
      parameters,
    });
  }
  if (byBytes.test(collation)) {
    const says = `Postgres stores text as UTF8, sorted by ${collation}.`;
    return ok({ code: 'postgres.text', says, parameters });
  }
  return warning({
    code: 'postgres.collation',
    says: `Postgres sorts by ${collation}: an upgrade of the operating system may change the order and invalidate indexes.`,
    remedy: newDatabase,
    parameters,
  });
}

function checkDurability(server: Server): Finding {
  const off = [
    ...(server.fsync === 'on' ? [] : ['fsync']),
    ...(server.fullPageWrites === 'on' ? [] : ['full_page_writes']),
  ];
  const remedy = (names: readonly string[]): string =>
    `${names.map((name) => `alter system set ${name} = on;`).join(' ')} select pg_reload_conf();`;
  if (off.length > 0) {
    return fault({
      code: 'postgres.canCorrupt',
      says: `Postgres runs with ${off.join(', ')} off: a crash can corrupt tables silently.`,
      remedy: remedy(off),
      parameters: { settings: off.join(', ') },
    });
  }
  if (server.synchronousCommit !== 'off') {
    return ok({
      code: 'postgres.durable',
      says: 'Postgres flushes to disk before it confirms a commit.',
    });
  }
  return fault({
    code: 'postgres.asynchronous',
    says: 'Postgres runs with synchronous_commit off: after a crash, reads may lack acknowledged writes.',
    remedy: remedy(['synchronous_commit']),
  });
}

function checkConnections({ maxConnections, connections }: Server): Finding {
  const result = {
    code: 'postgres.connections',
    says: `Postgres has ${connections} of ${maxConnections} connections in use.`,
    parameters: { connections, maxConnections },
  } as const;
  const remedy = 'raise max_connections, which needs a restart, or run fewer processes';
  const left = maxConnections - connections;
  if (left >= LEAST_CONNECTIONS) return ok(result);
  return (left < 3 ? fault : warning)({ ...result, remedy });
}

function checkRole({ isStandby, isReadOnly }: Server): Finding {
  if (isStandby)
    return fault({
      code: 'postgres.standby',
      says: 'Postgres is a standby and rejects writes.',
      remedy: 'name the primary in DATABASE_URL',
    });
  if (!isReadOnly) return ok({ code: 'postgres.writable', says: 'Postgres accepts writes.' });
  return fault({
    code: 'postgres.readOnly',
    says: 'Postgres rejects writes: default_transaction_read_only is on.',
    remedy: 'run alter database … reset default_transaction_read_only',
  });
}

/** The projector needs to create schemas, alter tables, and rename schemas at the end of a rebuild. */
async function checkRights(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ readonly user: string; readonly mayCreate: boolean }>(
    `select current_user as user, has_database_privilege(current_database(), 'create') as "mayCreate"`,
  );
  const schemas = await client.query<{ readonly name: string }>(
    `select nspname as name from pg_namespace
     where nspname in ($1, $2) and not pg_has_role(nspowner, 'usage') order by 1`,
    [liveSchema, webhookSchema],
  );
  const { user = '', mayCreate = false } = rows[0] ?? {};
  const lacks = schemas.rows.map(({ name }) => `to own schema ${name}`);
  if (!mayCreate) lacks.push('to create schemas');
  const parameters = { user, lacks: lacks.join(', ') };
  if (lacks.length === 0) {
    const says = `Postgres grants ${user} all required permissions.`;
    return ok({ code: 'postgres.permitted', says, parameters });
  }
  return fault({
    code: 'postgres.denied',
    says: `Postgres does not allow ${user} ${lacks.join(', ')}.`,
    remedy: `run grant create on database … to ${user}; alter schema … owner to ${user}`,
    parameters,
  });
}

/** Without the extension for trigrams, a search for text in the middle of a value reads the whole table. */
async function checkTrigrams(client: Client): Promise<Finding> {
  const { rows } = await client.query<{ readonly isThere: boolean; readonly isOffered: boolean }>(
    `select exists (select from pg_extension where extname = 'pg_trgm') as "isThere",
       exists (select from pg_available_extensions where name = 'pg_trgm') as "isOffered"`,
  );
  const { isThere = false, isOffered = false } = rows[0] ?? {};
  if (isThere)
    return ok({ code: 'postgres.trigrams', says: 'Postgres has the extension pg_trgm.' });
  const create =
    'run create extension pg_trgm as a user with the permission; then restart a projector, which builds the indexes';
  return warning({
    code: 'postgres.noTrigrams',
    says: 'Postgres lacks the extension pg_trgm: searches for text in the middle of a value are slow.',
    remedy: isOffered ? create : `install the contrib modules of Postgres; ${create}`,
  });
}

async function checkServerClock(client: Client): Promise<Finding> {
  const before = Date.now();
  const { rows } = await client.query<{ readonly now: number }>(
    'select extract(epoch from clock_timestamp())::float8 * 1000 as now',
  );
  return checkClock('Postgres', { there: rows[0]?.now ?? 0, before, after: Date.now() });
}
