import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { Authentication } from '../../shared/http/login/authenticate.ts';
import type { UntilConsistent } from '../../shared/http/until-consistent.ts';
import type { LogGuard } from '../../shared/installation/guard-log.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';
import type { SearchPool } from '../../shared/search/open-search-pool.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import type { CommandConfig } from './config.ts';
import type { RequireRoom } from './writer/require-room.ts';

export interface CommandDeps {
  readonly config: CommandConfig;
  readonly guard: LogGuard;
  readonly kafka: KafkaAddress;
  readonly partitions: number;
  readonly pool: Pool;
  /** The pool for searches of clients, with few connections and a statement timeout. */
  readonly searchPool: SearchPool;
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  /** Waits briefly until the directory in memory has caught up with the log. */
  readonly catchUp: () => Promise<void>;
  readonly untilConsistent: UntilConsistent;
  readonly secrets: SecretBox;
  readonly authentication: Authentication;
  readonly requireRoom: RequireRoom;
  /** The address that other services send commands to. */
  readonly internalAddress: string;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly clock: Clock;
  readonly crash: (error: unknown) => void;
  readonly log: Logger;
}
