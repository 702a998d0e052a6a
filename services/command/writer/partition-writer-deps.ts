import type { Logger } from 'pino';
import type { Unavailable } from '../../../shared/domain/errors.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import type { Backlog } from './backlog.ts';
import type { BatchLimits } from './decide-batch.ts';
import type { LoadDeps } from './load-command.ts';
import type { LogPosition } from './log-tail.ts';
import type { PartitionLog } from './partition-log.ts';
import type { RequireRoom } from './require-room.ts';

export interface PartitionWriterDeps extends LoadDeps {
  readonly log: PartitionLog;
  readonly backlog: Backlog;
  /**
   * The projector's position, from which reading starts, because Postgres has all entries before it. Undefined: ask
   * again soon.
   */
  readonly startFrom: () => Promise<LogPosition | undefined>;
  /** The reason why nothing may be written, if there is one. */
  readonly obstacle: () => Unavailable | undefined;
  /** Awaited before each batch is decided. */
  readonly beforeDeciding?: (position: LogPosition) => Promise<void>;
  readonly owner: string;
  /** Address of the owner, which its fence contains. */
  readonly address: string;
  readonly newToken: () => string;
  /** Whether fences of this version seal the log. False while processes of a version without codes may still write. */
  readonly seals: () => boolean;
  /** The versions to write. */
  readonly versions: () => SchemaVersions;
  readonly newEventId: () => string;
  readonly now: () => number;
  readonly limits: BatchLimits;
  readonly requireRoom: RequireRoom;
  /** Pause between two attempts to own the partition. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}
