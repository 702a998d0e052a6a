import type { Logger } from 'pino';
import type { Unavailable } from '../../../shared/domain/errors.ts';
import type { Backlog } from './backlog.ts';
import type { BatchLimits } from './decide-batch.ts';
import type { LoadDeps } from './load-command.ts';
import type { LogPosition } from './log-tail.ts';
import type { PartitionLog } from './partition-log.ts';
import type { RequireRoom } from './require-room.ts';

export interface PartitionWriterDeps extends LoadDeps {
  readonly log: PartitionLog;
  readonly backlog: Backlog;
  /** Where the projector stands: what lies before it is in Postgres and needs no reading. Undefined: ask again soon. */
  readonly startFrom: () => Promise<LogPosition | undefined>;
  /** Why nothing may be written now. */
  readonly obstacle: () => Unavailable | undefined;
  /** Waited for before each batch is decided. */
  readonly beforeDeciding?: (position: LogPosition) => Promise<void>;
  readonly owner: string;
  /** Where other processes reach the owner; stands in the fence. */
  readonly address: string;
  readonly newToken: () => string;
  /** Whether this version's fences seal the log: not while processes of a version without codes may still write. */
  readonly seals: () => boolean;
  readonly newEventId: () => string;
  readonly now: () => number;
  readonly limits: BatchLimits;
  readonly requireRoom: RequireRoom;
  /** Between two tries to own the partition. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}
