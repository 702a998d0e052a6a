import pg from 'pg';

const CONNECT_TIMEOUT_MS = 5_000;

/** `answers`, or in the words of Postgres or of the network why it does not. */
export async function askDatabase(url: string): Promise<'answers' | (string & {})> {
  try {
    await withClient(url, async (client) => client.query('SELECT 1'));
    return 'answers';
  } catch (error) {
    return describeConnectError(error);
  }
}

export async function createDatabaseIfMissing(url: string, name: string): Promise<void> {
  await withClient(url, async (client) => {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0)
      await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  });
}

/** Runs the work on a connection of its own. */
export async function withClient<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'annals-start',
  });
  // A server that ends while the connection is idle; the next query reports it.
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function describeConnectError(error: unknown): string {
  // Node reports a name with several addresses as one error without a text of its own.
  if (error instanceof AggregateError) return error.errors.map(describeConnectError).join(', ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
