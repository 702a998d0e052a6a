import type { AccessWatch } from '../../shared/audit/access-watch.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { ReaderDeps } from '../../shared/http/read-actor.ts';
import type { Observed } from '../../shared/installation/observed.ts';
import type { ChangeIndex } from './audit/change-index.ts';
import type { SeriesSources } from './series/read-series.ts';
import type { LiveEvents } from './tail/live-events.ts';

/** The dependencies of the routes for operators. The api creates them once per process. */
export interface SystemContext extends ReaderDeps {
  /** The installation that this process belongs to, inspected over separate connections. */
  readonly observed: Observed;
  readonly directory: Directory;
  readonly changes: ChangeIndex;
  readonly accessWatch: AccessWatch;
  readonly live: LiveEvents;
  readonly series: SeriesSources;
}
