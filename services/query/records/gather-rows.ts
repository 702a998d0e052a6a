import { setImmediate as endOfTurn } from 'node:timers/promises';
import type { Queryable } from '../../../shared/db/pool.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import { runForValues, type Statement } from '../../../shared/search/run-statement.ts';

interface RowRequest {
  /** Its last parameter is an array of ids. */
  readonly statement: Statement;
  /** The result column that holds the id. */
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
 * Combines reads that differ only in the id into one statement if they happen in the same turn of the event loop,
 * because sending a statement and reading its column descriptions costs more than an additional row.
 */
export function createGatherRows(pool: Queryable) {
  const open = new Map<string, Gathering>();

  function gather(key: string, { statement, idAt, viewer }: RowRequest): Gathering {
    const ids = new Set<string>();
    // Runs after all requests that have already arrived have been read.
    const rows = endOfTurn().then(async () => {
      open.delete(key);
      const found = await runForValues(pool, statement, [...viewer, [...ids]]);
      return new Map(found.map((values) => [values[idAt], values]));
    });
    return { ids, rows };
  }

  /** Returns the values of the row, or undefined if it does not exist. Rejects like runForValues. */
  return async (request: RowRequest): Promise<Values | undefined> => {
    const { name, text } = request.statement;
    const key = `${name ?? text} ${JSON.stringify(request.viewer)}`;
    const gathering = open.get(key) ?? gather(key, request);
    open.set(key, gathering);
    gathering.ids.add(request.id);
    return (await gathering.rows).get(request.id);
  };
}
