import { Unavailable } from '../../../shared/domain/errors.ts';
import type { LogVerdict } from '../../../shared/installation/assess-log.ts';
import { inspectLog, type LogInspection } from '../../../shared/installation/inspect-log.ts';
import { codesOf } from '../../../shared/installation/log-address.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';

/** Inspects the log, together with Postgres if it responds. Throws Unavailable. */
export async function lookAtInstalledLog(installation: Observed): Promise<LogInspection> {
  const { kafka, topics, secretKey, log } = installation;
  const connection = createKafkaConnection({ ...kafka, codes: codesOf(secretKey) }, log);
  const client = await installation.connect().catch((error: unknown) => {
    if (error instanceof Unavailable) return undefined;
    throw error;
  });
  try {
    return await inspectLog(connection, topics, client);
  } finally {
    await Promise.all([connection.close(), client?.end()]);
  }
}

/** Checks whether the log belongs to this installation. Throws Unavailable. */
export async function judgeInstalledLog(installation: Observed): Promise<LogVerdict> {
  return (await lookAtInstalledLog(installation)).verdict;
}
