import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { pino } from 'pino';
import {
  type KafkaAccess,
  toKafkaAddress,
  toKafkaVariables,
} from '../../../infra/local/kafka/kafka-access.ts';
import { type RunningChild, spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { switchActivity } from '../../../shared/domain/webhook/record/webhook.ts';
import {
  decodeWebhookAttempt,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import {
  decodeWebhookBatch,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import { createAppendMessages } from '../../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import { ensureTopics, topicNames } from '../../../shared/kafka/topics.ts';
import { createEntryCodes } from '../../../shared/secrets/entry-codes.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { aCreation } from '../builders/record-event-builder.ts';
import { eventually } from '../eventually.ts';
import { appendAsAnotherWriter } from '../log/append-as-another-writer.ts';
import { createLogReader, type LogReader } from '../log/log-reader.ts';
import { createLogScript } from '../log/log-script.ts';
import { markTestLog } from '../log/mark-test-log.ts';

const entry = join(import.meta.dirname, '..', '..', '..', 'services', 'dispatcher', 'main.ts');

export interface StartedDispatcher {
  /** Its current leader tasks according to its log: `queue`, `deliver/0` … */
  leaderTasks(): ReadonlySet<string>;
  /** Number of starts and ends of leader tasks. */
  moves(): number;
  /** The reason why it exited on its own. */
  crash(): string | undefined;
  signal(signal: NodeJS.Signals): void;
  readonly exited: RunningChild['exited'];
}

/** Dispatcher processes on their own topics, with webhooks for new accounts. */
export type DispatchersHarness = Awaited<ReturnType<typeof createDispatchersHarness>>;

export async function createDispatchersHarness(
  access: KafkaAccess,
  { partitions, urls }: { readonly partitions: number; readonly urls: readonly string[] },
) {
  const kafka = toKafkaAddress(access, 'dispatchers-test');
  const log = pino({ level: 'silent' });
  const prefix = `test-${randomUUID()}`;
  const topics = topicNames(prefix);
  const secretKey = randomBytes(32).toString('hex');
  await ensureTopics(kafka, topics, { recordPartitions: partitions }, log);
  await markTestLog(kafka, topics, secretKey);
  const webhooks = urls.map((url) => aWebhook(url, { secretKey, partitions }));
  const directory = { topic: topics.directory, codes: createEntryCodes(secretKey) };
  await appendAsAnotherWriter(access, directory, webhooks);
  const connection = createKafkaConnection(kafka, log);
  const scripts = Array.from({ length: partitions }, (_, partition) =>
    createLogScript({ append: createAppendMessages(connection), topic: topics.records, partition }),
  );
  for (const script of scripts) await script.fence();
  const children: RunningChild[] = [];
  const reader = createLogReader(access);

  return {
    webhookIds: webhooks.map(({ recordId }) => recordId),
    /** Creates accounts in all partitions in turn; each is an event for every webhook. */
    async createAccounts(count: number): Promise<void> {
      const events = Array.from({ length: count }, () => aCreation('Account', { name: 'Acme' }));
      const parts = scripts.map((script, partition) =>
        script.events(...events.filter((_, index) => index % partitions === partition)),
      );
      await Promise.all(parts);
    },
    async start(env: NodeJS.ProcessEnv = {}): Promise<StartedDispatcher> {
      const child = await spawnChild({
        name: 'dispatcher',
        command: process.execPath,
        args: [entry],
        env: {
          PATH: process.env['PATH'],
          ...unlimited,
          WEBHOOK_ALLOWED_ADDRESSES: urls.map((url) => new URL(url).host).join(','),
          ...toKafkaVariables(access),
          ANNALS_TOPIC_PREFIX: prefix,
          ANNALS_SECRET_KEY: secretKey,
          ANNALS_SUPERVISOR_PID: `${process.pid}`,
          ...env,
        },
        stopSignal: 'SIGTERM',
        stopTimeoutMs: 10_000,
      });
      children.push(child);
      return toDispatcher(child);
    },
    ...readOutcomes(reader, topics),
    async close(): Promise<void> {
      for (const child of children) child.kill();
      await connection.close();
      await reader.close();
    },
  };
}

const unlimited = {
  LOG_LEVEL: 'info',
  INTERNAL_PORT: '0',
  WEBHOOK_QUEUE_INTERVAL: '0',
  WEBHOOK_QUEUE_EVENT_PORTION_SIZE: '0',
  WEBHOOK_QUEUE_PORTION_SIZE: '0',
  WEBHOOK_BATCH_SIZE: '5',
};

function aWebhook(
  url: string,
  at: { readonly secretKey: string; readonly partitions: number },
): RecordEvent {
  const starts = Array.from({ length: at.partitions }, () => 0n);
  return aCreation('Webhook', {
    event: 'Account.create',
    entityType: 'Account',
    type: 'create',
    url,
    isActive: true,
    activity: switchActivity(null, true, starts),
    secretKey: createSecretBox(at.secretKey).seal('a secret'),
  });
}

function toDispatcher(child: RunningChild): StartedDispatcher {
  const leaderTasks = new Set<string>();
  let moves = 0;
  let crash: string | undefined;
  let rest = '';
  const take = (line: string): void => {
    const { msg, duty, err } = JSON.parse(line);
    if (msg === 'crashed') crash = err.message;
    if (msg === 'duty started') leaderTasks.add(duty);
    else if (msg === 'duty ended') leaderTasks.delete(duty);
    else return;
    moves += 1;
  };
  child.stdout?.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(line);
  });
  return {
    leaderTasks: () => leaderTasks,
    moves: () => moves,
    crash: () => crash,
    signal: (signal) => void process.kill(child.pid, signal),
    exited: child.exited,
  };
}

function readOutcomes(reader: LogReader, topics: ReturnType<typeof topicNames>) {
  return {
    events: () => reader.events(topics.records),
    async batches(): Promise<readonly WebhookBatch[]> {
      const messages = (await reader.messages(topics.webhookBatches)).flat();
      return messages.map(({ value }) => decodeWebhookBatch(value));
    },
    async attempts(): Promise<readonly WebhookAttempt[]> {
      const messages = (await reader.messages(topics.webhookAttempts)).flat();
      return messages.map(({ value }) => decodeWebhookAttempt(value));
    },
  };
}

/** Waits until each task is done by exactly one of the live dispatchers. */
export async function untilShared(
  dispatchers: readonly StartedDispatcher[],
  leaderTasks: readonly string[],
  timeoutMs = 15_000,
): Promise<void> {
  const check = (): void => {
    const done = dispatchers.flatMap((dispatcher) => [...dispatcher.leaderTasks()]).toSorted();
    const wanted = leaderTasks.toSorted();
    if (done.join() !== wanted.join()) throw new Error(`${done} instead of ${wanted}`);
  };
  await eventually(check, { timeoutMs, intervalMs: 10 });
}
