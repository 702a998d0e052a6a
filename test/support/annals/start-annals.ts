import { eventually } from '../eventually.ts';
import { hostVariable } from './host-variable.ts';
import { type HostAddress, type StartedHost, startHost } from './start-host.ts';
import { startReceiver } from './start-receiver.ts';
import type { StartAnnalsOptions, StartedAnnals } from './started-annals.ts';
import { type Stoppable, stopAll } from './stop-all.ts';

export type { ReceivedRequest } from '../receivers/subscriber.ts';
export type { Receiver } from './start-receiver.ts';
export type { StartAnnalsOptions, StartedAnnals } from './started-annals.ts';

/**
 * Retries until the attempt stops throwing, and returns its result; after the timeout, throws its last error.
 */
export const until = eventually;

/**
 * Starts an Annals for exclusive use, and waits until it responds. After the global setup of `annals/testing`
 * it is available within milliseconds; otherwise it starts its own Kafka and Postgres. Throws an Error that
 * names missing requirements of the machine.
 *
 * @example
 * const annals = await startAnnals();
 * const receiver = await annals.startReceiver();
 * const answer = await fetch(`${annals.url}/api/v1/Account`, {
 *   method: 'POST',
 *   headers: { 'X-Api-Key': annals.apiKey.apiKey, 'Content-Type': 'application/json' },
 *   body: JSON.stringify({ name: 'Acme' }),
 * });
 * await annals.stop();
 */
export async function startAnnals(options: StartAnnalsOptions = {}): Promise<StartedAnnals> {
  if (options.containers === true) {
    const { startInContainers } = await import('./start-in-containers.ts');
    return startInContainers(options);
  }
  const hostAddress = process.env[hostVariable];
  if (hostAddress !== undefined) return startOn(JSON.parse(hostAddress), [], options);
  const host: StartedHost = await startHost(0);
  try {
    return await startOn(host.address, [host], options);
  } catch (error) {
    await host.stop();
    throw error;
  }
}

type Made = Pick<
  StartedAnnals,
  'url' | 'admin' | 'user' | 'apiKey' | 'hmac' | 'kafka' | 'topicPrefix' | 'postgres'
> & { readonly id: string };

async function startOn(
  host: HostAddress,
  started: Stoppable[],
  { env = {}, receiverPorts = [] }: StartAnnalsOptions,
): Promise<StartedAnnals> {
  const { id, ...access } = await callHost<Made>(host, '/annals', { env });
  started.push({ stop: async () => callHost(host, `/annals/${id}/stop`, {}) });
  const allow = async (port: number): Promise<unknown> =>
    callHost(host, `/annals/${id}/receivers`, { port });
  for (const port of receiverPorts) await allow(port);
  let aheadMs = 0;
  return {
    ...access,
    async startReceiver() {
      const receiver = await startReceiver({ now: () => Date.now() + aheadMs });
      started.push({ stop: receiver.close });
      await allow(receiver.port);
      return receiver;
    },
    receiverUrl: (port, path = '/') => `http://127.0.0.1:${port}${path}`,
    clock: {
      async advance(ms) {
        if (!(ms >= 0)) throw new RangeError(`The clock can only move forward, not by ${ms} ms.`);
        aheadMs += ms;
        await callHost(host, `/annals/${id}/clock`, { ms });
      },
    },
    stop: async () => stopAll(started.splice(0)),
  };
}

async function callHost<Answer>({ url, token }: HostAddress, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = (await response.json()) as Answer & { readonly message?: string };
  if (!response.ok)
    throw new Error(
      answer.message ?? `The host of Annals responded with status ${response.status}.`,
    );
  return answer;
}
