/** The entry point of a rebuild thread, see fill-in-threads.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { pino } from 'pino';
import { outageOf } from '../../../shared/db/outage-of.ts';
import { createClient } from '../../../shared/db/pool.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../../shared/domain/errors.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import type { FillMessage, FillWork } from './fill-in-threads.ts';
import { fillSchema } from './fill-schema.ts';

const { source, schema, share }: FillWork = workerData;
const log = pino({ level: 'error' }, pino.destination({ dest: 2, sync: true }));

async function fillShare(): Promise<void> {
  const address = await toLogAddress({ ...source, log });
  const follower = followDirectory(address, source.topics.directory, log);
  const kafka = createKafkaConnection(address, log);
  const client = createClient({ url: source.databaseUrl, applicationName: 'annals-rebuild' });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('set synchronous_commit = off');
    await follower.catchUp();
    const { entity: model } = follower.directory;
    const onProgress = (messages: number) => send({ messages });
    await fillSchema({ client, kafka, schema, share, model, onProgress, log });
  } finally {
    await Promise.allSettled([client.end(), follower.close(), kafka.close()]);
  }
}

function send(message: FillMessage): void {
  parentPort?.postMessage(message);
}

try {
  await fillShare();
} catch (error) {
  // An error loses its class when it is passed to the main thread.
  const outage = error instanceof Unavailable ? error : outageOf(error);
  if (outage === undefined) throw error;
  send({ unavailable: outage.message, remedy: outage.remedy });
}
