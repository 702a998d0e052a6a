import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Queryable } from '../../../../shared/db/pool.ts';
import type { Statement } from '../../../../shared/search/prepare-statement.ts';
import type { RecordView } from '../../../../shared/search/record-view.ts';
import { runForValues } from '../../../../shared/search/run-statement.ts';

interface RowQuestion {
  /** Its last parameter is an array of ids. */
  readonly statement: Statement;
  /** The column of its answer that holds the id. */
  readonly idAt: number;
  readonly viewer: RecordView['viewer'];
  readonly id: string;
}

type Values = readonly unknown[];

interface Gathering {
  readonly ids: Set<string>;
  readonly rows: Promise<ReadonlyMap<unknown, Values>>;
}

/**
 * Reads that arrive in one turn of the event loop and differ in nothing but the id share a statement: sending a
 * statement and reading the description of its columns costs more than another row.
 */
export function createGatherRows(pool: Queryable) {
  const open = new Map<string, Gathering>();

  function gather(key: string, { statement, idAt, viewer }: RowQuestion): Gathering {
    const ids = new Set<string>();
    // After the requests that have arrived by now were read.
    const rows = endOfTurn().then(async () => {
      open.delete(key);
      const found = await runForValues(pool, statement, [...viewer, [...ids]]);
      return new Map(found.map((values) => [values[idAt], values]));
    });
    return { ids, rows };
  }

  /** The values of the row; undefined if there is none. Rejects as runForValues does. */
  return async (question: RowQuestion): Promise<Values | undefined> => {
    const key = `${question.statement.text} ${JSON.stringify(question.viewer)}`;
    const gathering = open.get(key) ?? gather(key, question);
    open.set(key, gathering);
    gathering.ids.add(question.id);
    return (await gathering.rows).get(question.id);
  };
}
