import { describe, expect, it } from 'vitest';
import type { Queryable } from '../../../../shared/db/pool.ts';
import type { RecordView } from '../../../../shared/search/record-view.ts';
import { createGatherRows } from './gather-rows.ts';

const me = ['me', []] as const;
const you = ['you', []] as const;
const statement = { text: 'select version, id from t where id = any($3)', name: 'by-id' };

/** Knows the rows a, b and c, and notes what it is asked. */
function createPool() {
  const asked: unknown[][] = [];
  const query: Queryable['query'] = async ({ values }) => {
    asked.push(values);
    const ids = values.at(-1) as readonly string[];
    if (ids.includes('broken')) throw new Error('broken');
    const rows = ids.filter((id) => 'abc'.includes(id)).map((id) => [1, id]);
    return { rows: rows.toReversed() } as never;
  };
  return { asked, query };
}

const ask = (
  askRow: ReturnType<typeof createGatherRows>,
  id: string,
  viewer: RecordView['viewer'] = me,
) => askRow({ statement, idAt: 1, viewer, id });

describe('gathered reads', () => {
  it('share a statement in one turn, and each gets its own row or none', async () => {
    const pool = createPool();
    const askRow = createGatherRows(pool);
    const rows = await Promise.all(['b', 'a', 'none', 'b'].map((id) => ask(askRow, id)));
    expect(rows).toEqual([[1, 'b'], [1, 'a'], undefined, [1, 'b']]);
    expect(pool.asked).toEqual([[...me, ['b', 'a', 'none']]]);
  });

  it('do not share it with another viewer, nor with a later turn', async () => {
    const pool = createPool();
    const askRow = createGatherRows(pool);
    await Promise.all([ask(askRow, 'a'), ask(askRow, 'a', you)]);
    await ask(askRow, 'a');
    expect(pool.asked).toEqual([
      [...me, ['a']],
      [...you, ['a']],
      [...me, ['a']],
    ]);
  });

  it('fail together, and the next ones do not', async () => {
    const askRow = createGatherRows(createPool());
    const outcomes = await Promise.allSettled([ask(askRow, 'a'), ask(askRow, 'broken')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await ask(askRow, 'a')).toEqual([1, 'a']);
  });
});
