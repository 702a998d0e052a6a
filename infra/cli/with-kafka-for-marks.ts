import { codesOf } from '../../shared/installation/log-address.ts';
import type { Mark } from '../../shared/installation/mark.ts';
import { type KafkaConnection, withKafka } from '../../shared/kafka/connection.ts';
import { OperatorError } from '../local/operator-error.ts';
import type { Installation } from './installation.ts';

/**
 * Like withKafka, but for writing marks. Throws OperatorError if the secret key is missing. `mark` is the mark of the
 * log.
 */
export async function withKafkaForMarks<Result>(
  installation: Installation & { readonly mark?: Mark | undefined },
  work: (connection: KafkaConnection) => Promise<Result>,
): Promise<Result> {
  const codes = codesOf(requireKey(installation), installation.mark);
  return withKafka({ ...installation, kafka: { ...installation.kafka, codes } }, work);
}

export function requireKey({ secretKey }: Installation): string {
  if (secretKey !== undefined) return secretKey;
  throw new OperatorError('Set ANNALS_SECRET_KEY_FILE to the file that the services use.');
}
