import type { Logger } from 'pino';
import type { RecordName } from '../../../shared/db/quarantine.ts';
import type { Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { SchemaVersions } from '../../../shared/events/schema-versions.ts';
import type { Backlog } from './backlog.ts';
import type { LogPosition } from './log-tail.ts';
import type { CommandMemory, FoundCommand } from './memory/command-memory.ts';
import type { RecordCache } from './memory/record-cache.ts';
import type { PartitionLog } from './partition-log.ts';
import type { RequireRoom } from './require-room.ts';
import type { Submission } from './submission.ts';

export interface PartitionWriterDeps {
  readonly log: PartitionLog;
  readonly cache: RecordCache;
  readonly commands: CommandMemory;
  /** Postgres has every event below this offset. */
  readonly projected: () => bigint;
  readonly waitProjected: (offset: bigint) => Promise<void>;
  /** Asks Postgres for a command with the same identity. */
  readonly findCommand: (submission: Submission) => Promise<FoundCommand | undefined>;
  readonly quarantine: {
    /** Whether the record may be quarantined, as far as this process was notified. */
    readonly mayHold: (record: RecordName) => boolean;
    /** Reads from Postgres whether it is. Rejects with a Refusal then. */
    readonly requireFree: (record: RecordName) => Promise<void>;
    /** The state of a quarantined record, which has no row, as all of its events leave it. */
    readonly read: (record: RecordName) => Promise<RecordState | undefined>;
  };
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
  /** A batch is closed at either limit. A single event may exceed the second one. */
  readonly limits: { readonly maxEvents: number; readonly maxBytes: number };
  readonly requireRoom: RequireRoom;
  /** Pause between two attempts to own the partition. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}
