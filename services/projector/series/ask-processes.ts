import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { FoundGroup } from '../../../shared/kafka/group/describe-group.ts';
import {
  describeServices,
  type GroupedService,
  groupedServices,
} from '../../../shared/kafka/group/service-groups.ts';
import { type ProcessNumbers, readProcess } from './read-process.ts';

interface Deps {
  readonly kafka: KafkaAddress;
  readonly topicPrefix: string;
  readonly log: Logger;
}

const ANSWER_WITHIN_MS = 5_000;

/**
 * Asks every process for its metrics: those in the groups in which processes share their work. One that does not answer
 * is missing. While a group agrees anew, those that were in it before are asked. Throws Unavailable.
 */
export function createProcessAsker(deps: Deps) {
  let members: ReadonlyMap<GroupedService, FoundGroup['members']> = new Map();

  return async (signal: AbortSignal): Promise<ReadonlyMap<string, ProcessNumbers>> => {
    const services = await describeServices(deps);
    members = new Map(
      groupedServices.map((service) => {
        const found = services[service].members;
        return [service, found.length > 0 ? found : (members.get(service) ?? [])];
      }),
    );
    const addresses = [...new Set([...members.values()].flat())];
    const answers = await Promise.all(addresses.map((address) => ask(address, signal)));
    return new Map(answers.flatMap((answer) => answer ?? []));
  };
}

async function ask(
  address: string,
  stopping: AbortSignal,
): Promise<readonly [readonly [string, ProcessNumbers]] | undefined> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(ANSWER_WITHIN_MS)]);
    const answer = await fetch(new URL('/metrics', address), { signal });
    return answer.ok ? [[address, readProcess(await answer.text())]] : undefined;
  } catch {
    return undefined;
  }
}
