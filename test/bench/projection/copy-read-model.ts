import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { copyIn, copyOut } from './copy-rows.ts';

const tables = ['contact', 'record_history'];

/**
 * Returns the seconds that COPY takes to put the rows of the read model into new tables of the same form,
 * each with its primary key and no other index.
 */
export async function copyReadModel(databaseUrl: string): Promise<number> {
  return withClient(databaseUrl, async (client) => {
    let seconds = 0;
    for (const table of tables) {
      const rows = await copyOut(client, `copy annals.${table} to stdout (format binary)`);
      const key = table === 'contact' ? 'id' : 'record_id, version, entity_type';
      await client.query(
        `create table public.${table} (like annals.${table} including generated, primary key (${key}))`,
      );
      const startedAt = performance.now();
      await copyIn(client, `copy public.${table} from stdin (format binary)`, rows);
      seconds += (performance.now() - startedAt) / 1000;
    }
    return seconds;
  });
}
