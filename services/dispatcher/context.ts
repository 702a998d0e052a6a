/**
 * The dependencies of the dispatcher's features. `create-context.ts` creates them once per process. Features import
 * only this type, so they do not depend on how its members are created. Tests replace individual members.
 */
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { KafkaAddress } from '../../shared/kafka/connection.ts';
import type { TopicNames } from '../../shared/kafka/topics.ts';
import type { TargetGuard } from '../../shared/net/find-addresses.ts';
import type { TargetVerdict } from '../../shared/net/validate-target.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { StorageWatch } from '../../shared/storage/watch-storage.ts';
import type { DispatcherConfig } from './config.ts';
import type { BatchFetcher } from './deliver/intake/fetch-batches.ts';
import type { DeliveryCounts, ObserveOutcome } from './deliver/measure-delivery.ts';
import type { BatchTask, InFlightWindow } from './deliver/progress/in-flight-window.ts';
import type { Endpoints } from './deliver/request/endpoints.ts';
import type { RequestSender } from './deliver/request/send-request.ts';
import type { CircuitBreakers } from './deliver/scheduling/circuit-breakers.ts';
import type { RequestScheduler } from './deliver/scheduling/request-scheduler.ts';

export interface DispatcherContext extends ServiceContext<DispatcherConfig> {
  /** The address of this process's internal listener. */
  readonly address: string;
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  /** The number of partitions that each topic of batches has. */
  readonly partitions: number;
  readonly follower: DirectoryFollower;
  readonly directory: Directory;
  /** Resolves once the directory has been read to its end. */
  readonly catchUp: () => Promise<void>;
  /** Resolves once the disks have room for the messages that result from an event, or the work is cancelled. */
  readonly untilRoom: StorageWatch['untilRoom'];
  readonly secrets: SecretBox;
  /** Decides which addresses requests may go to. */
  readonly guard: TargetGuard;
  /** Removes a webhook whose receiver responded with 410. Callers retry until it succeeds. */
  readonly removeWebhook: (webhookId: string) => Promise<void>;
}

/** The dependencies of delivery, which all partitions of a process share. */
export interface DeliveryContext extends DispatcherContext {
  readonly batches: BatchFetcher;
  readonly retries: BatchFetcher;
  readonly window: InFlightWindow;
  readonly scheduler: RequestScheduler<BatchTask>;
  /** The circuit breakers of every partition that this process owns. */
  readonly breakers: Set<CircuitBreakers>;
  readonly endpoints: Endpoints;
  readonly validateUrl: (url: string) => TargetVerdict;
  readonly sender: RequestSender;
  readonly counts: DeliveryCounts;
  readonly observe: ObserveOutcome;
}
