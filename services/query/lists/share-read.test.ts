import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../shared/db/pool.ts';
import { createShareRead } from './share-read.ts';

const statement = { text: 'select id from t where owner = $1', name: 'owned' };

/** Creates a pool that returns the values of each query as its row, and records them. */
function createPool() {
  const requested: unknown[][] = [];
  const query: Queryable['query'] = async ({ values }) => {
    requested.push(values);
    if (values.includes('broken')) throw new Error('broken');
    return { rows: [values] } as never;
  };
  return { requested, query };
}

describe('sharing reads', () => {
  it('uses one statement for equal reads of one turn', async () => {
    const pool = createPool();
    const read = createShareRead(pool);
    const rows = await Promise.all([read(statement, ['me']), read(statement, ['me'])]);
    expect(rows).toEqual([[['me']], [['me']]]);
    expect(pool.requested).toEqual([['me']]);
  });

  it('uses separate statements for other values, other texts and later turns', async () => {
    const pool = createPool();
    const read = createShareRead(pool);
    const other = { text: 'select id from t where owner = $1 limit 20' };
    await Promise.all([
      read(statement, ['me']),
      read(statement, ['you']),
      read(other, ['me']),
      read({ text: `${other.text} offset 20` }, ['me']),
    ]);
    await read(statement, ['me']);
    expect(pool.requested).toEqual([['me'], ['you'], ['me'], ['me'], ['me']]);
  });

  it('does not add a read to a statement that was already sent', async () => {
    let sent = 0;
    let finish: () => void = () => undefined;
    const finished = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const query: Queryable['query'] = async () => {
      sent += 1;
      await finished;
      return { rows: [] } as never;
    };
    const read = createShareRead({ query });
    const first = read(statement, ['me']);
    await new Promise((resolve) => setTimeout(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    expect(sent).toBe(1);
    const second = read(statement, ['me']);
    finish();
    await Promise.all([first, second]);
    expect(sent).toBe(2);
  });

  it('rejects all reads of a failed statement, but not later reads', async () => {
    const pool = createPool();
    const read = createShareRead(pool);
    const failed = [read(statement, ['broken']), read(statement, ['broken'])];
    const outcomes = await Promise.allSettled(failed);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(pool.requested).toHaveLength(1);
    expect(await read(statement, ['me'])).toEqual([['me']]);
  });
});
