import { createKafkaConnection, type KafkaConnection } from '../../shared/kafka/connection.ts';
import { createEntryCodes } from '../../shared/secrets/entry-codes.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/** Opens a connection for writing marks, which needs the secret key. Throws OperatorError without it. */
export function connectForMarks({
  kafka,
  secretKey,
  log,
}: Pick<Installation, 'kafka' | 'secretKey' | 'log'>): KafkaConnection {
  if (secretKey === undefined) {
    throw new OperatorError('Set ANNALS_SECRET_KEY_FILE as the services have it.');
  }
  return createKafkaConnection({ ...kafka, codes: createEntryCodes(secretKey) }, log);
}
