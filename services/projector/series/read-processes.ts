import type { Logger } from 'pino';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
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

const TIMEOUT_MS = 5_000;

/**
 * Reads the metrics of all members of the groups in which processes share their work. Processes that do not respond are
 * missing from the result. While a group rebalances, its previous members are read. Throws Unavailable.
 */
export function createProcessReader(deps: Deps) {
  let members: ReadonlyMap<GroupedService, readonly string[]> = new Map();

  return async (signal: AbortSignal): Promise<ReadonlyMap<string, ProcessNumbers>> => {
    const services = await describeServices(deps);
    members = new Map(
      groupedServices.map((service) => {
        const found = services[service].members;
        return [service, found.length > 0 ? found : (members.get(service) ?? [])];
      }),
    );
    const addresses = [...new Set([...members.values()].flat())];
    const answers = await Promise.all(addresses.map((address) => readNumbers(address, signal)));
    return new Map(answers.flatMap((answer) => answer ?? []));
  };
}

async function readNumbers(
  address: string,
  stopping: AbortSignal,
): Promise<readonly [readonly [string, ProcessNumbers]] | undefined> {
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(TIMEOUT_MS)]);
    const answer = await fetch(new URL('/metrics', address), { signal });
    return answer.ok ? [[address, readProcess(await answer.text())]] : undefined;
  } catch {
    return undefined;
  }
}
