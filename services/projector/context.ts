/**
 * Everything that the parts of the projector use. `create-context.ts` builds it once per process, and the parts import
 * only this type.
 */
import type { Client } from 'pg';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { ProjectorConfig } from './config.ts';
import type { ProjectorMeter } from './consume/measure-projector.ts';

/** The parts that are created before the projector verifies that the log belongs to this installation. */
export interface OpenedContext extends ServiceContext<ProjectorConfig> {
  readonly kafka: KafkaAddress;
}

export interface BaseContext extends OpenedContext {
  readonly follower: DirectoryFollower;
  /** Opens a separate connection to Postgres, which the caller closes. */
  readonly connect: () => Promise<Client>;
}

export interface ProjectorContext extends BaseContext {
  readonly meter: ProjectorMeter;
  /**
   * Creates and alters tables to fit the entity definitions, and rebuilds a read model that lost tables. Resolves with
   * the entity types whose definition Postgres rejects, with the reason.
   */
  readonly ensureReadModel: (
    client: Client,
    signal: AbortSignal,
  ) => Promise<ReadonlyMap<string, string>>;
  /** Called with the entity types of a stored batch. */
  readonly onStored: (entityTypes: ReadonlySet<string>) => void;
}
