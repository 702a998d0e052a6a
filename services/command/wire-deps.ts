import type { Pool } from 'pg';
import type { AccessWatch } from '../../shared/audit/access-watch.ts';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { Authentication } from '../../shared/http/login/authenticate.ts';
import type { UntilConsistent } from '../../shared/http/until-consistent.ts';
import type { LogGuard } from '../../shared/installation/guard-log.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import type { TopicNames } from '../../shared/kafka/topics.ts';
import type { Reads } from '../../shared/search/open-reads.ts';
import type { SearchPool } from '../../shared/search/open-search-pool.ts';
import type { InSnapshot } from '../../shared/search/open-snapshots.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from './config.ts';
import type { Append } from './owner/append.ts';
import type { Sender } from './owner/send-to-owner.ts';
import type { InputReads } from './records/input/creation-checks.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import type { RequireRoom } from './writer/require-room.ts';

/** What is open before the log is proven to be the installation's own. */
export interface OpenedDeps extends ServiceContext<CommandConfig> {
  readonly guard: LogGuard;
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly pool: Pool;
  /** The pool for searches of clients, with few connections and a statement timeout. */
  readonly searchPool: SearchPool;
  readonly inSnapshot: InSnapshot;
  readonly reads: Reads;
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  readonly directory: Directory;
  /** Waits briefly until the directory in memory has caught up with the log. */
  readonly catchUp: () => Promise<void>;
  readonly accessWatch: AccessWatch;
  readonly secrets: SecretBox;
  /** Time limit of a write. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

export interface CommandDeps extends OpenedDeps {
  readonly partitions: number;
  readonly untilConsistent: UntilConsistent;
  readonly authentication: Authentication;
  readonly requireRoom: RequireRoom;
  /** The address that other services send commands to. */
  readonly address: string;
}

/** Dependencies of what decides commands of this instance's partitions. */
export interface OwnerDeps extends CommandDeps, InputReads {
  /** The writers of records, by partition. */
  readonly writers: readonly PartitionWriter[];
  readonly directoryWriter: PartitionWriter;
  readonly appendToDirectory: Append;
  readonly newId: () => string;
  readonly newIdIn: (partition: number) => string;
  /** The end offsets of the records log, by partition, from the broker. */
  readonly recordsEnd: () => Promise<readonly bigint[]>;
  readonly directoryEnd: () => Promise<bigint>;
}

/** Dependencies of what sends commands to their owners. */
export interface SenderDeps extends OwnerDeps, Sender {}
