import type { QueryResult } from 'pg';
import { describe, expect, it } from 'vitest';
import type { Queryable } from '../db/pool.ts';
import { Unavailable } from '../domain/errors.ts';
import { createPrepare, runStatement } from './run-statement.ts';

/** Returns a pool that responds to successive calls with rows or an error. */
function poolOf(...results: readonly (Error | readonly object[])[]) {
  const calls: { readonly text: string; readonly name?: string }[] = [];
  const pool: Queryable = {
    async query(statement) {
      const result = results[calls.length];
      calls.push(statement);
      if (result instanceof Error) throw result;
      return { rows: result } as unknown as QueryResult<never>;
    },
  };
  return { pool, calls };
}

const failure = (code: string, message = 'failed') => Object.assign(new Error(message), { code });
const statement = { text: 'select 1', name: 'read_1' };

describe('runStatement', () => {
  it('returns the rows', async () => {
    const { pool, calls } = poolOf([{ id: 'a' }]);
    expect(await runStatement(pool, statement, ['x'])).toEqual([{ id: 'a' }]);
    expect(calls).toEqual([{ ...statement, values: ['x'] }]);
  });

  it.each([
    '08006',
    '28P01',
    '3D000',
    '53300',
    '57P01',
    '40001',
    '42P01',
    '42703',
    'ECONNREFUSED',
    'EAI_AGAIN',
  ])('throws Unavailable for %s', async (code) => {
    await expect(runStatement(poolOf(failure(code)).pool, statement, [])).rejects.toThrow(
      Unavailable,
    );
  });

  it.each([
    'timeout exceeded when trying to connect',
    'Connection terminated unexpectedly',
    'Client has encountered a connection error and is not queryable',
  ])('throws Unavailable for "%s"', async (message) => {
    const { pool } = poolOf(new Error(message));
    await expect(runStatement(pool, statement, [])).rejects.toThrow(Unavailable);
  });

  it.each(['22021', '42601', '0A000', ''])('rethrows an error with code %j', async (code) => {
    const error = failure(code);
    await expect(runStatement(poolOf(error, error).pool, statement, [])).rejects.toBe(error);
  });

  it('retries without the prepared statement when column types change', async () => {
    const { pool, calls } = poolOf(failure('0A000'), [{ id: 'a' }]);
    expect(await runStatement(pool, statement, [])).toEqual([{ id: 'a' }]);
    expect(calls[1]).toEqual({ text: 'select 1', values: [] });
  });
});

describe('createPrepare', () => {
  it('derives the name from the text identically in every process', () => {
    const { name } = createPrepare()('select 1');
    expect(name).toMatch(/^[0-9a-f]{32}$/);
    expect(createPrepare()('select 1').name).toBe(name);
    expect(createPrepare()('select 2').name).not.toBe(name);
  });

  it('returns no name beyond the limit but keeps earlier names', () => {
    const prepare = createPrepare();
    const first = prepare('select 0');
    for (let number = 1; number < 500; number += 1) prepare(`select ${number}`);
    expect(prepare('select 500')).toEqual({ text: 'select 500' });
    expect(prepare('select 0')).toEqual(first);
  });
});
