import { readEnv } from '../../shared/config/env.ts';
import { readServiceSettings, type ServiceSettings } from '../../shared/config/service-settings.ts';
import { readStorageSettings, type StorageSettings } from '../../shared/config/storage-settings.ts';
import { readTargetSettings, type TargetSettings } from '../../shared/net/allowed-targets.ts';

interface QueueConfig {
  /** The time between runs; 0 starts a run whenever there are events. */
  readonly intervalMs: number;
  /** The maximum number of events to match per run; 0 means no limit. */
  readonly eventPortionSize: number;
  readonly batchSize: number;
}

/** The limits of delivery, from the operator's settings. */
interface DeliveryConfig {
  /** The maximum number of attempts per batch, including the first one. */
  readonly maxAttempts: number;
  readonly failAttemptPeriodMs: number;
  /** Covers the name lookup, TCP and TLS. */
  readonly connectTimeoutMs: number;
  /** Covers the whole request, from waiting for a connection to the last byte of the response. */
  readonly timeoutMs: number;
  readonly maxConcurrentRequests: number;
  /** The maximum number of concurrent requests to one host and port. */
  readonly maxRequestsPerHost: number;
}

export interface DispatcherConfig extends ServiceSettings {
  readonly storage: StorageSettings;
  readonly queue: QueueConfig;
  readonly delivery: DeliveryConfig;
  /** The maximum number of requests per run; 0 means no limit. */
  readonly requestPortionSize: number;
  readonly targets: TargetSettings;
  readonly replayEventsPerSecond: number;
}

/** Throws if a setting is missing or invalid. `.env.example` describes each of them. */
export function loadDispatcherConfig(
  env: Readonly<Record<string, string | undefined>>,
): DispatcherConfig {
  const read = readEnv(env);
  const config: DispatcherConfig = {
    ...readServiceSettings(read),
    storage: readStorageSettings(read),
    queue: {
      intervalMs: read.durationMs('WEBHOOK_QUEUE_INTERVAL', {
        fallback: '5m',
        min: '1s',
        max: '24d',
        orZero: true,
      }),
      eventPortionSize: read.int('WEBHOOK_QUEUE_EVENT_PORTION_SIZE', { fallback: 20, min: 0 }),
      batchSize: read.int('WEBHOOK_BATCH_SIZE', { fallback: 50, min: 1, max: 50 }),
    },
    requestPortionSize: read.int('WEBHOOK_QUEUE_PORTION_SIZE', { fallback: 20, min: 0 }),
    targets: readTargetSettings(read),
    replayEventsPerSecond: read.int('WEBHOOK_REPLAY_EVENTS_PER_SECOND', {
      fallback: 1000,
      min: 1,
    }),
    delivery: {
      maxAttempts: read.int('WEBHOOK_MAX_ATTEMPT_NUMBER', { fallback: 4, min: 1, max: 100 }),
      failAttemptPeriodMs: read.durationMs('WEBHOOK_FAIL_ATTEMPT_PERIOD', {
        fallback: '10m',
        min: '1s',
      }),
      connectTimeoutMs: read.durationMs('WEBHOOK_CONNECT_TIMEOUT', {
        fallback: '5s',
        min: '100ms',
      }),
      timeoutMs: read.durationMs('WEBHOOK_TIMEOUT', { fallback: '10s', min: '100ms' }),
      maxConcurrentRequests: read.int('WEBHOOK_MAX_CONCURRENT_REQUESTS', { fallback: 200, min: 1 }),
      maxRequestsPerHost: read.int('WEBHOOK_MAX_REQUESTS_PER_HOST', { fallback: 50, min: 1 }),
    },
  };
  const { timeoutMs, connectTimeoutMs } = config.delivery;
  // 0 means that the setting was invalid, which has already been reported.
  if (timeoutMs > 0 && timeoutMs < connectTimeoutMs) {
    read.problem(
      'WEBHOOK_TIMEOUT must not be below WEBHOOK_CONNECT_TIMEOUT, because it includes that time',
    );
  }
  read.done();
  return config;
}
