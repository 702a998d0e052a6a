import type pg from 'pg';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { searchedChannel } from '../../../shared/db/tables/read-model-names.ts';
import { eventually } from '../../support/eventually.ts';
import { contactBodies } from '../contact-bodies.ts';

interface Installation {
  readonly url: string;
  readonly apiKey: string;
  readonly databaseUrl: string;
}

interface ContactOwners {
  readonly userId: string;
  readonly teamId: string;
}

/** Contacts per thousand that belong to the user, and to the team. */
const OWN_PER_MILLE = 1;
const TEAM_PER_MILLE = 20;

const TEXT_INDEX_MS = 300_000;

interface Filling {
  readonly count: number;
  readonly owners: ContactOwners;
  /** Whether to build the index for searches in the middle of texts. */
  readonly isSearched?: boolean;
  /** SQL for columns by name, in terms of `number`; replaces that of `copied`. */
  readonly columns?: Readonly<Record<string, string>>;
}

/**
 * Creates one Contact through the API and multiplies its row in the read model, which is faster than `count`
 * events and equivalent for readers.
 */
export async function fillContacts(
  at: Installation,
  { count, owners, isSearched = true, columns: differing }: Filling,
): Promise<void> {
  const template = await createContact(at);
  await withClient(at.databaseUrl, async (client) => {
    const columns = await contactColumns(client);
    await withoutIndexes(client, isSearched, async () => {
      await client.query(multiply(columns, { ...copied, ...differing }), [
        template,
        count,
        owners.userId,
        owners.teamId,
      ]);
    });
    await client.query(
      `update annals.entity_counts set live = live + $1 where entity_type = 'Contact'
       and partition = (select min(partition) from annals.entity_counts where entity_type = 'Contact')`,
      [count],
    );
    await client.query('vacuum analyze annals.contact');
  });
}

/** Returns the id of the Contact with this number; numbers start at 1. */
export function contactId(number: number): string {
  return number.toString(16).padStart(17, '0');
}

/**
 * Names and addresses like those of `contactBodies`; the newest last, a second apart, and all older than
 * their template.
 */
const copied: Readonly<Record<string, string>> = {
  id: "lpad(to_hex(number), 17, '0')",
  first_name: "'First' || number % 97",
  last_name: "'Lastname' || number",
  name: "'First' || number % 97 || ' Lastname' || number",
  email_address: "'contact.' || number || '@customer-' || number % 53 || '.example.com'",
  created_at: 'template.created_at - make_interval(secs => $2 - number)',
  assigned_user_id: `case when number % 1000 < ${OWN_PER_MILLE} then $3 else 'user' || number % 500 end`,
  teams_ids: `case when number % 1000 >= ${1000 - TEAM_PER_MILLE} then array[$4] else '{}' end`,
};

function multiply(
  columns: readonly string[],
  expressions: Readonly<Record<string, string>>,
): string {
  const values = columns.map((name) => expressions[name] ?? `template."${name}"`);
  return `
    insert into annals.contact (${columns.map((name) => `"${name}"`).join(', ')})
    select ${values.join(', ')} from annals.contact template, generate_series(1, $2::int) number
    where template.id = $1`;
}

/** Returns the columns of the table that Postgres does not generate. */
export async function contactColumns(client: pg.Client): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema = 'annals' and table_name = 'contact' and is_generated = 'NEVER'`,
  );
  return rows.map(({ name }) => name);
}

/**
 * Drops the indexes during the work and creates them again, which is faster than maintaining them for each
 * row. The projector creates those for texts: the one for words whenever it is missing, the one for the middle of texts
 * after a search for it.
 */
async function withoutIndexes(
  client: pg.Client,
  isSearched: boolean,
  work: () => Promise<void>,
): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes
     where schemaname = 'annals' and tablename = 'contact' and indexname not like '%pkey'`,
  );
  for (const { name } of indexes) await client.query(`drop index annals."${name}"`);
  await work();
  for (const { name, definition } of indexes) {
    if (!/\$(?:inside|words)_/.test(name)) await client.query(definition);
  }
  if (isSearched) await client.query('select pg_notify($1, $2)', [searchedChannel, 'Contact']);
  // Earlier versions have no index of words.
  const hasWords = indexes.some(({ name }) => name.includes('$words_'));
  const built = [...(hasWords ? ['words'] : []), ...(isSearched ? ['inside'] : [])];
  for (const index of built) {
    await eventually(() => requireTextIndex(client, index), { timeoutMs: TEXT_INDEX_MS });
  }
}

async function requireTextIndex(client: pg.Client, index: string): Promise<void> {
  const { rowCount } = await client.query(
    `select 1 from pg_index i join pg_class c on c.oid = i.indexrelid
     where c.relname like $1 and i.indisvalid`,
    [`contact$${index}\\_%`],
  );
  if (rowCount === 0) throw new Error(`the projector has not built the index ${index} yet`);
}

async function createContact({ url, apiKey }: Installation): Promise<string> {
  const response = await fetch(`${url}/api/v1/Contact`, {
    method: 'POST',
    headers: {
      'X-Api-Key': apiKey,
      'Content-Type': 'application/json',
      'X-Skip-Duplicate-Check': 'true',
    },
    body: JSON.stringify(contactBodies(1)[0]),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text).id;
}
