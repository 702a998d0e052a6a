import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { toKafkaVariables } from '../../../infra/local/kafka/kafka-access.ts';
import { ensureTopics, topicNames } from '../../../shared/kafka/topics.ts';
import { markTestLog } from '../../support/log/mark-test-log.ts';
import type { BenchContext } from '../bench.ts';
import { benchKafka } from '../bench-kafka.ts';
import { unlimited } from '../delivery/deliver-backlog.ts';
import { fillLog } from '../fill-log.ts';
import type { PacedAppend } from '../programs/paced-appender.ts';
import { newTopicPrefix } from '../start-bench-product.ts';
import { startProgram } from '../start-program.ts';
import { startService } from '../start-service.ts';
import { definitionEvents, watchedFields } from '../watched-fields.ts';
import { webhookEvent } from '../webhook-events.ts';
import { type EndpointKind, openEndpoints } from './endpoints.ts';

export interface LoadedDispatcher {
  /**
   * Runs a load without measuring it, then measures the load for some time. Returns the latencies of healthy endpoints.
   */
  measure(load: { readonly settleMs: number; readonly measuredMs: number }): Promise<Reception>;
}

interface Reception {
  readonly healthyMs: readonly number[];
  /** Requests to endpoints that hang or drip, during the same time. */
  readonly faulty: number;
}

const PARTITIONS = 4;
const PER_SECOND = 1_000;
const ENTITY_TYPES = 10;
const LAST_ARRIVALS_MS = 500;

/** Starts a dispatcher process with a webhook per endpoint; each change matches one of them, in turns. */
export async function startLoadedDispatcher(
  context: BenchContext,
  kinds: readonly EndpointKind[],
): Promise<LoadedDispatcher> {
  const { kafka } = await context.infrastructure();
  const endpoints = await openEndpoints(context, kinds);
  const fields = watchedFields(kinds.length, ENTITY_TYPES);
  const prefix = newTopicPrefix();
  const topics = topicNames(prefix);
  const secretKey = randomBytes(32).toString('hex');
  const address = benchKafka(kafka);
  const silent = pino({ level: 'silent' });
  await ensureTopics(address, topics, { recordPartitions: PARTITIONS }, silent);
  await markTestLog(address, topics, secretKey);
  const webhooks = endpoints.urls.map((url, index) => {
    const watched = fields[index];
    if (watched === undefined) throw new Error('every endpoint needs a field');
    const id = `webhook-${index}`;
    return webhookEvent({
      id,
      type: 'fieldUpdate',
      url,
      partitions: PARTITIONS,
      secretKey,
      ...watched,
    });
  });
  const directory = { kafka, topic: topics.directory, partitions: 1 };
  await fillLog(directory, [...definitionEvents(fields), ...webhooks]);
  const dispatcher = await startService(context, 'dispatcher', {
    ...toKafkaVariables(kafka),
    ANNALS_TOPIC_PREFIX: prefix,
    ANNALS_SECRET_KEY: secretKey,
    WEBHOOK_BATCH_SIZE: '1',
    // Second and third attempts are part of the cost of faulty endpoints.
    WEBHOOK_FAIL_ATTEMPT_PERIOD: '2s',
    WEBHOOK_ALLOWED_ADDRESSES: endpoints.urls.map((url) => new URL(url).host).join(','),
    ...unlimited,
  });

  const appender = startProgram<PacedAppend, number>(context, 'paced-appender.ts');
  const records = { kafka, topic: topics.records, partitions: PARTITIONS };
  const load = async (durationMs: number): Promise<number> => {
    const sent = await appender.send({ ...records, fields, perSecond: PER_SECOND, durationMs });
    return Math.floor(sent * shareOfHealthy(kinds));
  };
  return {
    async measure({ settleMs, measuredMs }) {
      const before = await load(settleMs);
      await endpoints.waitForHealthy(before, dispatcher.requireRunning);
      await endpoints.reset();
      const sent = await load(measuredMs);
      const reception = await endpoints.waitForHealthy(sent, dispatcher.requireRunning);
      await sleep(LAST_ARRIVALS_MS);
      await endpoints.reset();
      return reception;
    },
  };
}

function shareOfHealthy(kinds: readonly EndpointKind[]): number {
  return kinds.filter((kind) => kind === 'healthy').length / kinds.length;
}
