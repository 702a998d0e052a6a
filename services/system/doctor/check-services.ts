import { listFailing, type Readiness } from '../../../shared/http/observe/register-health.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { describeServices } from '../../../shared/kafka/group/service-groups.ts';
import { version as ownVersion } from '../../../shared/runtime/version.ts';
import { type ClockReading, judgeClock } from './check-clock.ts';
import { judgeVersions, type ProcessVersion } from './check-versions.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';

const { ok, fault } = findingsAbout('services');

/** Addresses that the caller knows, in addition to those in the groups. */
export interface KnownAddresses {
  /** Names of processes by the URLs of their readiness checks. */
  readonly processes: ReadonlyMap<string, string>;
  /** The address of the API for clients. */
  readonly api: string | undefined;
}

const TIMEOUT_MS = 5_000;

export interface CheckedServices {
  /** Processes that are missing or do not respond, their versions and their clocks. */
  readonly presence: readonly Finding[];
  /** Whether the processes that respond are ready, which may follow from faults of other parts. */
  readonly readiness: readonly Finding[];
}

/**
 * Checks the readiness, the version and the clock of every process: the members of the groups that share the work, and
 * those at known addresses.
 */
export async function checkServices(
  deps: Pick<Observed, 'kafka' | 'topicPrefix' | 'log'>,
  { processes, api, hasKafka }: KnownAddresses & { readonly hasKafka: boolean },
): Promise<CheckedServices> {
  const known = new Map<string, string>();
  const absent: Finding[] = [];
  const services = hasKafka ? Object.entries(await describeServices(deps)) : [];
  for (const [service, { members }] of services) {
    for (const address of members) known.set(`${address}/readyz`, service);
    if (members.length === 0) absent.push(describeAbsent(service));
  }
  for (const [url, name] of processes) known.set(url, name);
  const versions = await Promise.all([...known].map(([url, name]) => readVersion(name, url)));
  const internal = await Promise.all([...known].map(([url, name]) => probe(name, url)));
  const forClients = api === undefined ? [] : [await probe('the API for clients', `${api}/readyz`)];
  const probed = [...internal, ...forClients];
  const running = versions.filter((found) => found !== undefined);
  return {
    presence: [
      ...absent,
      ...probed.flatMap(({ silence }) => silence ?? []),
      ...(running.length > 0 ? [judgeVersions(running, ownVersion)] : []),
      // Excludes the address for clients: a proxy may respond there, with the clock of another machine.
      ...judgeClocks(internal.flatMap(({ clock }) => clock ?? [])),
    ],
    readiness: probed.flatMap(({ readiness }) => readiness ?? []),
  };
}

/** Without a projector the tables fall behind, without a dispatcher the deliveries. */
function describeAbsent(service: string): Finding {
  const absent = fault(`no ${service} is running`, `start one: ${remedy}`);
  if (service === 'projector') return asCause(absent, ['read model', 'files', 'webhooks']);
  return service === 'dispatcher' ? asCause(absent, ['webhooks']) : absent;
}

function judgeClocks(readings: readonly ServiceClock[]): readonly Finding[] {
  if (readings.length === 0) return [];
  const off = readings
    .map(({ name, ...reading }) => judgeClock(name, reading))
    .filter(({ verdict }) => verdict !== 'ok')
    .map((finding) => ({
      ...finding,
      about: 'services',
      says: `${finding.about} ${finding.says}`,
    }));
  return off.length > 0 ? off : [ok('have the same time as this host')];
}

const remedy = 'npm start or docker compose up; or see its log';

interface ServiceClock extends ClockReading {
  readonly name: string;
}

interface Probe {
  /** Set if the process does not respond. */
  readonly silence?: Finding;
  readonly readiness?: Finding;
  readonly clock?: ServiceClock;
}

async function probe(name: string, url: string): Promise<Probe> {
  const { host } = new URL(url);
  const before = Date.now();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const there = Date.parse(answer.headers.get('date') ?? '');
    const after = Date.now();
    const clock = { name: `${name} at ${host}`, ...toReading({ there, before, after }) };
    return {
      readiness: await describeReadiness(name, answer),
      ...(Number.isNaN(there) ? {} : { clock }),
    };
  } catch {
    return { silence: fault(`${name} does not respond at ${host}`, `start it again: ${remedy}`) };
  }
}

/** The Date header is truncated to whole seconds. */
const toReading = ({ there, before, after }: ClockReading): ClockReading => ({
  there,
  before: before - 1_000,
  after,
});

async function describeReadiness(name: string, answer: Response): Promise<Finding> {
  if (answer.ok) return ok(`${name} is ready`);
  const failing = listFailing((await answer.json()) as Partial<Readiness>);
  return fault(
    `${name} is not ready: ${failing.join(', ') || `HTTP status ${answer.status}`}`,
    'see docs/operations/runbook.md, AnnalsNotReady',
  );
}

const buildLine = /^annals_build_info[{][^}]*version="([^"]+)"/m;

/** Reads the version from the metrics of the internal listener. Undefined without a response, which `probe` reports. */
async function readVersion(name: string, readyUrl: string): Promise<ProcessVersion | undefined> {
  const url = new URL('/metrics', readyUrl);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const version = buildLine.exec(await answer.text())?.[1];
    return version === undefined ? undefined : { name, host: url.host, version };
  } catch {
    return undefined;
  }
}
