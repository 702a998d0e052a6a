import { listFailing, type Readiness } from '../../../shared/http/observe/register-health.ts';
import { describeServices, type GroupsPlace } from '../../../shared/kafka/group/service-groups.ts';
import { version as ownVersion } from '../../../shared/runtime/version.ts';
import { checkClock } from './check-clock.ts';
import { checkVersions, type ProcessVersion } from './check-versions.ts';
import { asCause, type Finding, findingsAbout, toSentence } from './finding.ts';

const { ok, fault } = findingsAbout('services');

/** Addresses from the caller, in addition to those in the groups. */
export interface KnownAddresses {
  /** Names of processes by the URLs of their readiness checks. */
  readonly processes: ReadonlyMap<string, string>;
  /** The address of the API for clients. */
  readonly api: string | undefined;
}

const TIMEOUT_MS = 5_000;

const forClientsName = 'the API for clients';

function subjectOf(name: string): string {
  return name === forClientsName ? 'The API for clients' : `The ${name} process`;
}

export interface CheckedServices {
  /** Processes that are missing or do not respond, their versions and their clocks. */
  readonly presence: readonly Finding[];
  /** Whether the processes that respond are ready. If they are not, faults of other parts may be the cause. */
  readonly readiness: readonly Finding[];
}

/**
 * Checks the readiness, the version and the clock of every process: the members of the groups that share the work, and
 * those at known addresses.
 */
export async function checkServices(
  place: GroupsPlace,
  { processes, api, hasKafka }: KnownAddresses & { readonly hasKafka: boolean },
): Promise<CheckedServices> {
  const known = new Map<string, string>();
  const absent: Finding[] = [];
  const services = hasKafka ? Object.entries(await describeServices(place)) : [];
  for (const [service, { members }] of services) {
    for (const address of members) known.set(`${address}/readyz`, service);
    if (members.length === 0) absent.push(describeAbsent(service));
  }
  for (const [url, name] of processes) known.set(url, name);
  const versions = await Promise.all([...known].map(readVersion));
  const internal = await Promise.all([...known].map(probe));
  const forClients = api === undefined ? [] : [await probe([`${api}/readyz`, forClientsName])];
  const probed = [...internal, ...forClients];
  const running = versions.filter((found) => found !== undefined);
  return {
    presence: [
      ...absent,
      ...probed.flatMap(({ silence }) => silence ?? []),
      ...(running.length > 0 ? [checkVersions(running, ownVersion)] : []),
      // Excludes the address for clients, because a proxy with another machine's clock may respond there.
      ...summarizeClocks(internal.flatMap(({ clock }) => clock ?? [])),
    ],
    readiness: probed.flatMap(({ readiness }) => readiness ?? []),
  };
}

/** Without a projector, the tables fall behind; without a dispatcher, deliveries do. */
function describeAbsent(service: string): Finding {
  const absent = fault({
    code: 'services.absent',
    says: `No ${service} is running.`,
    remedy: `start one: ${remedy}`,
    parameters: { service },
  });
  if (service === 'projector') return asCause(absent, ['read model', 'files', 'webhooks']);
  return service === 'dispatcher' ? asCause(absent, ['webhooks']) : absent;
}

function summarizeClocks(clocks: readonly Finding[]): readonly Finding[] {
  if (clocks.length === 0) return [];
  const off = clocks
    .filter(({ verdict }) => verdict !== 'ok')
    .map((clock) => ({ ...clock, about: 'services' }));
  return off.length > 0
    ? off
    : [
        ok({
          code: 'clock.allSame',
          says: 'The clocks of all processes agree with the clock of this host.',
        }),
      ];
}

const remedy = 'npm start or docker compose up; or see its log';

interface Probe {
  /** Present only if the process does not respond. */
  readonly silence?: Finding;
  readonly readiness?: Finding;
  readonly clock?: Finding;
}

async function probe([url, name]: readonly [url: string, name: string]): Promise<Probe> {
  const { host } = new URL(url);
  // The Date header is truncated to whole seconds, so the other clock may have been up to a second ahead of it.
  const before = Date.now() - 1_000;
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const there = Date.parse(answer.headers.get('date') ?? '');
    const clock = checkClock(`${name} at ${host}`, { there, before, after: Date.now() });
    const readiness = await describeReadiness(name, answer);
    return Number.isNaN(there) ? { readiness } : { readiness, clock };
  } catch {
    const silence = fault({
      code: 'services.silent',
      says: `${subjectOf(name)} does not respond at ${host}.`,
      remedy: `start it again: ${remedy}`,
      parameters: { name, host },
    });
    return { silence };
  }
}

async function describeReadiness(name: string, answer: Response): Promise<Finding> {
  if (answer.ok) {
    return ok({
      code: 'services.ready',
      says: `${subjectOf(name)} is ready.`,
      parameters: { name },
    });
  }
  const failing = listFailing((await answer.json()) as Partial<Readiness>);
  const reason = failing.join(', ') || `HTTP status ${answer.status}`;
  return fault({
    code: 'services.notReady',
    says: `${subjectOf(name)} is not ready: ${toSentence(reason)}`,
    remedy: 'see docs/operations/runbook.md, AnnalsNotReady',
    parameters: { name, reason },
  });
}

const buildLine = /^annals_build_info[{][^}]*version="([^"]+)"/m;

/** Reads the version from the internal listener's metrics; undefined without a response, which `probe` reports. */
async function readVersion([readyUrl, name]: readonly [string, string]): Promise<
  ProcessVersion | undefined
> {
  const url = new URL('/metrics', readyUrl);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    const version = buildLine.exec(await answer.text())?.[1];
    return version === undefined ? undefined : { name, host: url.host, version };
  } catch {
    return undefined;
  }
}
