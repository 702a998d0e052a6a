/** The entry point of the worker thread that digest-in-thread.ts starts. */
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { withKafka } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { DigestMessage, DigestWork } from './digest-in-thread.ts';
import { digestLog, orRefusal } from './fold-log.ts';

const { source, ends, buckets }: DigestWork = workerData;
const log = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }));

function send(message: DigestMessage): void {
  parentPort?.postMessage(message);
}

try {
  const kafka = await toLogAddress({ ...source, log });
  const onProgress = (messages: number) => send({ messages });
  const digest = await withKafka({ kafka, log }, (connection) =>
    digestLog({ kafka: connection, ends, onProgress }, buckets),
  );
  send({ digest });
} catch (cause) {
  const error = orRefusal(cause);
  if (error instanceof OperatorError) send({ refused: error.message });
  else if (error instanceof Unavailable) send({ unavailable: error.message, remedy: error.remedy });
  else throw error;
}
