/**
 * Fills a schema with several threads, each with its own partitions and connections. Decoding events and building rows
 * takes about as long as storing them in Postgres, so several threads use several cores.
 */
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Unavailable } from '../../../shared/domain/errors.ts';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import type { Share } from './fill-schema.ts';

/** The addresses and keys with which a thread opens the log and the database. */
export interface FillSource {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly secretKey: string | undefined;
  readonly databaseUrl: string;
}

export interface FillWork {
  readonly source: FillSource;
  readonly schema: string;
  readonly share: Share;
}

export type FillMessage =
  | { readonly messages: number }
  | { readonly unavailable: string; readonly remedy?: string | undefined };

type Unread = Share[number] & { readonly entries: number };

/** With fewer entries, starting a thread would take longer than filling its share. */
const LEAST_ENTRIES = 20_000;
const MAX_THREADS = 4;
/** Large enough for a chunk, which V8 would otherwise move to the old generation before it is stored. */
const resourceLimits = { maxYoungGenerationSizeMb: 64 };

/**
 * Divides the partitions among as many threads as are useful, so that each thread gets about the same number of
 * entries.
 */
export function shareOut(unread: readonly Unread[], cores = availableParallelism()): Share[] {
  const total = unread.reduce((sum, { entries }) => sum + entries, 0);
  const wanted = Math.min(cores, MAX_THREADS, unread.length, Math.floor(total / LEAST_ENTRIES));
  const shares = Array.from({ length: wanted }, () => ({ entries: 0, share: [] as Unread[] }));
  for (const one of unread.toSorted((a, b) => b.entries - a.entries)) {
    const [least] = shares.sort((a, b) => a.entries - b.entries);
    least?.share.push(one);
    if (least !== undefined) least.entries += one.entries;
  }
  return shares.map(({ share }) => share.map(({ topic, partition }) => ({ topic, partition })));
}

/** Resolves when every share is filled. Rejects with the first failure, and terminates the other threads. */
export async function fillInThreads(
  work: Omit<FillWork, 'share'>,
  shares: readonly Share[],
  { onProgress, signal }: { onProgress: (messages: number) => void; signal: AbortSignal },
): Promise<void> {
  const program = new URL(`./fill-thread${extname(import.meta.url)}`, import.meta.url);
  const source = withoutFunctions(work.source);
  const start = (share: Share) =>
    new Worker(program, { workerData: { ...work, source, share }, resourceLimits });
  const threads = shares.map(start);
  try {
    await Promise.all(threads.map((thread) => untilDone(thread, { onProgress, signal })));
  } finally {
    await Promise.all(threads.map((thread) => thread.terminate()));
  }
}

/** Drops functions, which cannot be sent to a thread. The thread creates them again. */
function withoutFunctions({ kafka, topics, secretKey, databaseUrl }: FillSource): FillSource {
  const { brokers, clientId, security } = kafka;
  const address = { brokers, clientId, ...(security && { security }) };
  return { kafka: address, topics, secretKey, databaseUrl };
}

function untilDone(
  thread: Worker,
  { onProgress, signal }: { onProgress: (messages: number) => void; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(new Unavailable('the rebuild was stopped'));
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
    thread.on('message', (message: FillMessage) => {
      if ('messages' in message) onProgress(message.messages);
      else reject(new Unavailable(message.unavailable, { remedy: message.remedy }));
    });
    thread.on('error', reject);
    thread.on('exit', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
  });
}
