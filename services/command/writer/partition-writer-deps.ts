import type { Logger } from 'pino';
import type { RecordName } from '../../../shared/db/quarantine.ts';
import type { FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
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
  /** Looks up a command with the same identity in Postgres. */
  readonly findCommand: (submission: Submission) => Promise<FoundCommand | undefined>;
  readonly quarantine: {
    /** True if the record may be quarantined, according to the notifications that this process has received. */
    readonly mayHold: (record: RecordName) => boolean;
    /** Rejects with a Refusal if the record is quarantined, according to Postgres. */
    readonly requireFree: (record: RecordName) => Promise<void>;
    /** Reads the state of a quarantined record after all of its events. Such a record has no row. */
    readonly read: (record: RecordName) => Promise<RecordState | undefined>;
  };
  readonly backlog: Backlog;
  /**
   * The projector's position, from which the log is read, because Postgres has all earlier entries. Undefined if the
   * caller has to retry soon.
   */
  readonly startFrom: () => Promise<LogPosition | undefined>;
  /** Returns the reason why nothing may be written; undefined if writing is allowed. */
  readonly obstacle: () => Unavailable | undefined;
  /** Awaited before each batch is decided. */
  readonly beforeDeciding?: (position: LogPosition) => Promise<void>;
  readonly owner: string;
  /** The owner's address, which its fences contain. */
  readonly address: string;
  readonly newToken: () => string;
  /**
   * True if fences from this process seal the log. False while processes whose version does not support authentication
   * codes may still write.
   */
  readonly seals: () => boolean;
  /** The schema versions to write. */
  readonly versions: () => SchemaVersions;
  readonly newEventId: () => string;
  readonly now: () => number;
  /** A batch is complete at either limit. A single event may exceed `maxBytes`. */
  readonly limits: { readonly maxEvents: number; readonly maxBytes: number };
  readonly requireRoom: RequireRoom;
  readonly findModel: FindModel;
  /** Waits between two attempts to acquire the partition. */
  readonly pause: () => Promise<void>;
  readonly logger: Logger;
}
