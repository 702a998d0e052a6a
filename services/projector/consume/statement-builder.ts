import type { ProjectedNotice } from '../../../shared/db/projection-watch.ts';
import { toBinaryArray } from '../../../shared/db/sql/binary-array.ts';
import { projectedChannel, quoteName } from '../../../shared/db/tables/read-model-names.ts';

/** A column of values, sent as one array: `bytea` as bytes, other types as text. */
export interface Cells {
  readonly type: string;
  readonly cells: readonly unknown[];
}

export type StatementBuilder = ReturnType<typeof createStatementBuilder>;

/** Builds one statement from parts, each of which has to affect the expected number of rows. */
export function createStatementBuilder(schema: string) {
  const values: unknown[] = [];
  const parts: string[] = [];
  const checks: string[] = [];
  let sources = 0;

  function value(one: unknown): string {
    values.push(one);
    return `$${values.length}`;
  }

  return {
    /** Turns columns of equal length into a row source. */
    rows(columns: readonly Cells[]) {
      sources += 1;
      const alias = `s${sources}`;
      const arrays = columns.map(({ type, cells }) => {
        const element = type === 'bytea' ? type : 'text';
        return `${value(toBinaryArray(element, cells))}::${element}[]`;
      });
      const names = columns.map((_, index) => `c${index}`);
      const column = (index: number) => {
        const type = columns[index]?.type ?? 'text';
        return `${alias}.c${index}${type === 'text' || type === 'bytea' ? '' : `::${type}`}`;
      };
      return {
        from: `unnest(${arrays.join(', ')}) as ${alias}(${names.join(', ')})`,
        column,
        select: columns.map((_, index) => column(index)).join(', '),
      };
    },
    part(sql: string, expected: { readonly rows: number; readonly code: string }): void {
      const name = `part${parts.length}`;
      parts.push(`${name} as (${sql})`);
      checks.push(
        `${quoteName(schema)}.expect_rows((select count(*) from ${name}), ${value(expected.rows)}, '${expected.code}')`,
      );
    },
    /** Also sends `notice` to listeners, if it is defined. */
    build(notice: ProjectedNotice | undefined) {
      const notify =
        notice === undefined
          ? 'null'
          : `pg_notify('${projectedChannel}', ${value(JSON.stringify(notice))})`;
      return {
        text: `with ${parts.join(',\n')}\nselect ${[...checks, notify].join(', ')}`,
        values,
      };
    },
  };
}
