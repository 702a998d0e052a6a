import { patchProduce } from './patch-produce.ts';
import { patchRequestQueue } from './patch-request-queue.ts';
import { rememberCoordinators } from './remember-coordinators.ts';

/** Replaces parts of kafkajs 2.2.4, which is no longer maintained. Idempotent. */
export function patchKafkajs(): void {
  patchRequestQueue();
  patchProduce();
  rememberCoordinators();
}
