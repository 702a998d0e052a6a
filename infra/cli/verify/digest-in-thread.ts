/** Folds the log in a thread on another core, because this takes about as long as folding the history. */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { Buckets } from './buckets.ts';
import type { LogDigest } from './fold-log.ts';

/** Everything that the thread needs to open the log. */
export interface ThreadSource {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly secretKey: string | undefined;
}

export interface DigestWork {
  readonly source: ThreadSource;
  readonly ends: readonly PartitionPosition[];
  readonly buckets: Buckets;
}

export type DigestMessage =
  | { readonly messages: number }
  | { readonly digest: LogDigest }
  | { readonly refused: string }
  | { readonly unavailable: string; readonly remedy: string | undefined };

/** A higher limit would use more memory and save hardly any time. */
const resourceLimits = { maxYoungGenerationSizeMb: 12 };

export async function digestInThread(
  work: DigestWork,
  onProgress: (messages: number) => void,
): Promise<LogDigest> {
  const program = new URL(`./digest-thread${extname(import.meta.url)}`, import.meta.url);
  // Functions cannot be sent to a thread.
  const { kafka, topics, secretKey } = work.source;
  const { brokers, clientId, security } = kafka;
  const address = { brokers, clientId, ...(security && { security }) };
  const source = { kafka: address, topics, secretKey };
  const thread = new Worker(program, { workerData: { ...work, source }, resourceLimits });
  try {
    return await new Promise((resolve, reject) => {
      thread.on('message', (message: DigestMessage) => {
        if ('messages' in message) onProgress(message.messages);
        else if ('digest' in message) resolve(message.digest);
        else reject(toError(message));
      });
      thread.on('error', reject);
      thread.on('exit', () => reject(new Error('the thread that reads the log ended early')));
    });
  } finally {
    await thread.terminate();
  }
}

/** An error loses its class when it is passed between threads, so it is created again. */
function toError(message: Exclude<DigestMessage, { messages: number } | { digest: LogDigest }>) {
  return 'refused' in message
    ? new OperatorError(message.refused)
    : new Unavailable(message.unavailable, { remedy: message.remedy });
}
