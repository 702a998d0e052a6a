import { patchProduce } from './patch-produce.ts';
import { patchRequestQueue } from './patch-request-queue.ts';
import { rememberCoordinators } from './remember-coordinators.ts';

/** What is replaced within kafkajs 2.2.4, which nobody maintains any more. Doing it again changes nothing. */
export function patchKafkajs(): void {
  patchRequestQueue();
  patchProduce();
  rememberCoordinators();
}
