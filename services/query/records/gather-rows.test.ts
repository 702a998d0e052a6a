import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../shared/db/pool.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import { createGatherRows } from './gather-rows.ts';

const me = ['me', []] as const;
const you = ['you', []] as const;
const statement = { text: 'select version, id from t where id = any($3)', name: 'by-id' };

/** Creates a pool with the rows a, b and c, which records the values of each query. */
function createPool() {
  const requested: unknown[][] = [];
  const query: Queryable['query'] = async ({ values }) => {
    requested.push(values);
    const ids = values.at(-1) as readonly string[];
    if (ids.includes('broken')) throw new Error('broken');
    const rows = ids.filter((id) => 'abc'.includes(id)).map((id) => [1, id]);
    return { rows: rows.toReversed() } as never;
  };
  return { requested, query };
}

const read = (
  readRow: ReturnType<typeof createGatherRows>,
  id: string,
  viewer: RecordView['viewer'] = me,
) => readRow({ statement, idAt: 1, viewer, id });

describe('gathering reads', () => {
  it('combines the reads of one turn and resolves each with its row or undefined', async () => {
    const pool = createPool();
    const readRow = createGatherRows(pool);
    const rows = await Promise.all(['b', 'a', 'none', 'b'].map((id) => read(readRow, id)));
    expect(rows).toEqual([[1, 'b'], [1, 'a'], undefined, [1, 'b']]);
    expect(pool.requested).toEqual([[...me, ['b', 'a', 'none']]]);
  });

  it('uses separate statements for other viewers and later turns', async () => {
    const pool = createPool();
    const readRow = createGatherRows(pool);
    await Promise.all([read(readRow, 'a'), read(readRow, 'a', you)]);
    await read(readRow, 'a');
    expect(pool.requested).toEqual([
      [...me, ['a']],
      [...you, ['a']],
      [...me, ['a']],
    ]);
  });

  it('rejects all reads of a failed statement but no later reads', async () => {
    const readRow = createGatherRows(createPool());
    const outcomes = await Promise.allSettled([read(readRow, 'a'), read(readRow, 'broken')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await read(readRow, 'a')).toEqual([1, 'a']);
  });
});
