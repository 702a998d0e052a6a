import { calmRequestQueue } from './calm-request-queue.ts';
import { quickenProduce } from './quicken-produce.ts';
import { rememberCoordinators } from './remember-coordinators.ts';

/** What is replaced within kafkajs 2.2.4, which nobody mends any more. Doing it again changes nothing. */
export function mendKafkajs(): void {
  calmRequestQueue();
  quickenProduce();
  rememberCoordinators();
}
