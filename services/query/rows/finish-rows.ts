import type { Queryable } from '../../../shared/db/pool.ts';
import { showSecrets } from '../../../shared/domain/access/opened-for.ts';
import { completeBodies } from '../../../shared/domain/directory/complete-bodies.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { SearchPool } from '../../../shared/search/open-search-pool.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import type { Row, Statement } from '../../../shared/search/run-statement.ts';
import type { FindCommonTrigrams } from '../../../shared/search/where/rare-parts.ts';
import { fillNames } from './fill-names.ts';
import type { ReadPlan } from './read-plan.ts';

export interface SearchDeps {
  readonly pool: Queryable;
  readonly searchPool: SearchPool;
  readonly directory: Directory;
  readonly openSecret: (sealed: string) => string | null;
  readonly prepare: (text: string) => Statement;
  /** If missing, no trigrams are treated as common. */
  readonly findCommonTrigrams?: FindCommonTrigrams;
}

/** Fills in values that the statement could not select, in place. */
export async function finishRows(
  deps: SearchDeps,
  { plan, view }: { readonly plan: ReadPlan; readonly view: RecordView },
  rows: readonly Row[],
): Promise<void> {
  const { model, opened } = plan;
  if (opened.length > 0) {
    for (const row of rows) showSecrets(row, { model, opened, values: row }, deps.openSecret);
  }
  completeBodies(model, rows, deps.directory);
  if (plan.names.length > 0) await fillNames(deps, { rows, view }, plan.names);
}
