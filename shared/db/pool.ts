import pg from 'pg';

const { builtins } = pg.types;

/** Times and dates stay the text that Postgres prints: that is the wire's own form already. */
const asPrinted = new Set<number>([builtins.TIMESTAMP, builtins.TIMESTAMPTZ, builtins.DATE]);

const types: pg.CustomTypesConfig = {
  getTypeParser: (id, format) =>
    asPrinted.has(id)
      ? (text: string) => text
      : pg.types.getTypeParser(id, format as 'text' | undefined),
};

export interface DatabaseConfig {
  readonly url: string;
  readonly poolSize: number;
  readonly applicationName: string;
}

export function createPool(config: DatabaseConfig): pg.Pool {
  return new pg.Pool({
    connectionString: config.url,
    max: config.poolSize,
    application_name: config.applicationName,
    connectionTimeoutMillis: 5_000,
    types,
  });
}

/** A connection of its own, for LISTEN or for the projector's transactions. */
export function createClient(config: Omit<DatabaseConfig, 'poolSize'>): pg.Client {
  return new pg.Client({
    connectionString: config.url,
    application_name: config.applicationName,
    connectionTimeoutMillis: 5_000,
    types,
  });
}
