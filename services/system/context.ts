import type { AccessWatch } from '../../shared/audit/access-watch.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { ReaderDeps } from '../../shared/http/read-actor.ts';
import type { Observed } from '../../shared/installation/observed.ts';
import type { SearchPool } from '../../shared/search/open-search-pool.ts';
import type { ChangeIndex } from './audit/change-index.ts';
import type { Doctor } from './doctor/doctor.ts';
import type { SeriesSources } from './series/read-series.ts';
import type { LiveEvents } from './tail/live-events.ts';
import type { FailedRequest } from './traces/failed-requests.ts';

/** The dependencies of the routes for operators. The api creates them once per process. */
export interface SystemContext extends ReaderDeps {
  /** The installation that this process belongs to, inspected over separate connections. */
  readonly observed: Observed;
  readonly directory: Directory;
  readonly changes: ChangeIndex;
  readonly accessWatch: AccessWatch;
  readonly live: LiveEvents;
  readonly doctor: Doctor;
  /** The pool for slow statements. */
  readonly searchPool: SearchPool;
  readonly now: () => number;
  /** Finds failed requests by their id in the memory of all apis. */
  readonly findFailed: (requestId: string) => Promise<readonly FailedRequest[]>;
  readonly series: SeriesSources;
}
