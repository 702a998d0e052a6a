/**
 * Everything that the command side's features use. `create-context.ts` builds it once per process. Features import only
 * this type, so they depend neither on each other nor on how the parts are created. Tests replace individual members.
 */
import type { Pool } from 'pg';
import type { AccessWatch } from '../../shared/audit/access-watch.ts';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../shared/domain/entity/model/entity-model.ts';
import type { RecordState } from '../../shared/domain/record/record-state.ts';
import type { ReplayProgress } from '../../shared/events/replay-progress.ts';
import type { WebhookBatch } from '../../shared/events/webhook-batch-codec.ts';
import type { FileReads } from '../../shared/files/file-reads.ts';
import type { ExternalStore, PutFile } from '../../shared/files/file-store.ts';
import type { Authentication } from '../../shared/http/login/authenticate.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import type { SaveLayout } from '../../shared/http/save-layout.ts';
import type { SaveNotificationMarks } from '../../shared/http/save-notification-marks.ts';
import type { UntilConsistent } from '../../shared/http/until-consistent.ts';
import type { LogGuard } from '../../shared/installation/guard-log.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import type { TopicNames } from '../../shared/kafka/topics.ts';
import type { IdSearch } from '../../shared/search/find-ids.ts';
import type { Reads } from '../../shared/search/open-reads.ts';
import type { SearchPool } from '../../shared/search/open-search-pool.ts';
import type { InSnapshot } from '../../shared/search/open-snapshots.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from './config.ts';
import type { ScanFile } from './files/scan-file.ts';
import type { LoginWrites } from './logins/login-writes.ts';
import type { MassActionWorker } from './mass-actions/mass-action-worker.ts';
import type { Relinking } from './merge/relink-record.ts';
import type { Command, CommandAnswer } from './owner/command.ts';
import type { CommandForwarder } from './owner/forward-command.ts';
import type { Ownership } from './owner/ownership.ts';
import type { CommandSender } from './owner/send-to-owner.ts';
import type { PeerDirectories } from './owner/wait-for-peers.ts';
import type { LogEnds, UntilCaughtUp } from './owner/wait-for-read-model.ts';
import type { Copying } from './records/create.ts';
import type { CheckCreation, InputReads } from './records/input/creation-checks.ts';
import type { LinkingRequest } from './records/link.ts';
import type { ReservedNumber } from './records/numbers/number-source.ts';
import type { RecordHandlers } from './records/record-handlers.ts';
import type { SingleSignOn } from './single-sign-on/single-sign-on.ts';
import type { FollowingReads } from './stream/read-following.ts';
import type { UrlValidation } from './webhooks/validate-webhook-url.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import type { RequireRoom } from './writer/require-room.ts';

/** The parts that are opened before the service verifies that the log belongs to this installation. */
export interface OpenedContext extends ServiceContext<CommandConfig> {
  readonly guard: LogGuard;
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly pool: Pool;
  /** The pool for client searches, with few connections and a statement timeout. */
  readonly searchPool: SearchPool;
  readonly inSnapshot: InSnapshot;
  readonly reads: Reads;
  /** Undefined if files are stored in the log. */
  readonly store: ExternalStore | undefined;
  readonly files: FileReads;
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  readonly directory: Directory;
  /** Waits briefly until the directory in memory has caught up with the log. */
  readonly catchUp: () => Promise<void>;
  readonly accessWatch: AccessWatch;
  readonly secrets: SecretBox;
  readonly openSecret: (sealed: string) => string | null;
  /** Time limit of a write. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

/** The parts that depend on the number of partitions, the listener or the directory. */
export interface StartedContext extends OpenedContext {
  readonly partitions: number;
  readonly untilConsistent: UntilConsistent;
  readonly authentication: Authentication;
  readonly authenticate: Authentication['authenticate'];
  readonly requireRoom: RequireRoom;
  /** The address to which other services send commands. */
  readonly address: string;
}

/** The parts that this process's background workers use. */
export interface BaseContext extends StartedContext, InputReads, FollowingReads, LogEnds {
  // Routing commands to the owners of partitions.

  readonly ownership: Ownership;
  readonly forwarder: CommandForwarder;
  readonly peers: PeerDirectories;
  readonly sender: CommandSender;

  // Deciding commands in this instance's partitions.

  /** The writers of the records log, by partition. */
  readonly writers: readonly PartitionWriter[];
  readonly directoryWriter: PartitionWriter;
  /** Returns the handlers of an entity type, which implement its rules. */
  readonly recordsOf: (model: EntityModel) => RecordHandlers;
  readonly newId: () => string;
  readonly newIdIn: (partition: number) => string;
  /** Returns the partition for the next new record. This instance owns that partition. */
  readonly nextPartition: () => number;
  /** Reserves a number that belongs to the given partition, or to any partition that this instance owns. */
  readonly reserveNumber: (
    model: EntityModel,
    attribute: string,
    partition: number | undefined,
  ) => Promise<ReservedNumber>;

  // Reading data for plans and decisions.

  readonly untilCaughtUp: UntilCaughtUp;
  readonly readState: (model: EntityModel, id: string) => Promise<RecordState | undefined>;
  /** Finds ids of records that the actor may read. The result reflects all earlier writes. */
  readonly findIds: (search: IdSearch) => Promise<readonly string[]>;
  readonly checkCreation: CheckCreation;

  // Acting on several records.

  /** Reads a mass action from Postgres. */
  readonly readMassAction: (id: string) => Promise<RecordState | undefined>;
  /** Returns the subset of a user's command ids that Postgres already has. */
  readonly findDone: (
    actorId: string,
    commandIds: readonly string[],
  ) => Promise<ReadonlySet<string>>;
  /** Links one record with all records that a search finds. */
  readonly linkFound: (found: LinkingRequest) => Promise<{
    readonly written: readonly CommandAnswer[];
    /** True if any record was linked. */
    readonly isLinked: boolean;
  }>;
  /** Sends a new user a link to set a password. Does nothing if no e-mail can be sent. */
  readonly inviteUser: (user: RecordState) => Promise<void>;
  /** Creates a record with the same links as another record. */
  readonly copyRecord: (command: Command, copying: Copying) => Promise<CommandAnswer>;
  /** Finds ids of live records of a type that refer to one of the sources. Returns pages in id order. */
  readonly findReferring: (
    holder: EntityModel,
    relinking: Relinking,
  ) => AsyncIterable<readonly string[]>;
  /** Completes and ends the merges that deleted a record. */
  readonly endMergesOf: (command: Command & { readonly id: string }) => Promise<void>;

  // Writing files, webhooks and layouts.

  /** Stores the bytes of a file, in the file store if there is one, otherwise in the log. */
  readonly putFile: PutFile;
  /** Scans a file of a user for viruses. */
  readonly scanFile: ScanFile;
  readonly saveExport: SaveExport;
  readonly saveLayout: SaveLayout;
  readonly saveNotificationMarks: SaveNotificationMarks;
  readonly validateUrl: (url: string) => Promise<UrlValidation>;
  /**
   * Enqueues batches for one webhook. All of them go to the same partition. If it rejects, any of them may have been
   * enqueued.
   */
  readonly enqueue: (batches: readonly WebhookBatch[]) => Promise<void>;
  /** Reads the progress of all started replays, by id. */
  readonly readProgress: () => Promise<ReadonlyMap<string, ReplayProgress>>;
}

export interface CommandContext extends BaseContext {
  readonly singleSignOn: SingleSignOn;
  readonly massActionWorker: MassActionWorker;
  readonly logins: LoginWrites;
}
