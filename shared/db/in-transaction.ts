import type { ClientBase } from 'pg';

/** Runs `work` in a transaction, and rolls back if it throws. */
export async function inTransaction<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** Runs `work` in a savepoint of the current transaction; an error rolls back only `work`. */
export async function inSavepoint<Result>(
  client: ClientBase,
  work: () => Promise<Result>,
): Promise<Result> {
  await client.query('savepoint part');
  try {
    const result = await work();
    await client.query('release savepoint part');
    return result;
  } catch (error) {
    await client.query('rollback to savepoint part');
    await client.query('release savepoint part');
    throw error;
  }
}
