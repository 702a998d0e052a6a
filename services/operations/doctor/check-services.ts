import { listFailing, type Readiness } from '../../../shared/http/observe/register-health.ts';
import { describeServices } from '../../../shared/kafka/group/service-groups.ts';
import { version as ownVersion } from '../../../shared/runtime/version.ts';
import type { Observed } from '../installation/observed.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';
import { type ClockReading, judgeClock } from './judge-clock.ts';
import { judgeVersions, type ProcessVersion } from './judge-versions.ts';

const { ok, fault } = findingsAbout('services');

/** Of processes that are known from elsewhere. */
export interface KnownAddresses {
  /** Names by the address at which a process tells whether it is ready. */
  readonly processes: ReadonlyMap<string, string>;
  /** Of the API, for clients. */
  readonly api: string | undefined;
}

const ANSWER_WITHIN_MS = 5_000;

export interface CheckedServices {
  /** Processes that are missing or do not respond, their versions and their clocks. */
  readonly presence: readonly Finding[];
  /** Whether those that respond are ready, which may follow from faults of other parts. */
  readonly readiness: readonly Finding[];
}

/**
 * The readiness, the version and the clock of every process: of those in the groups in which processes share their work,
 * and of those known from elsewhere.
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
  const internal = await Promise.all([...known].map(([url, name]) => ask(name, url)));
  const forClients =
    api === undefined ? [] : [await ask('the API, at the address for clients,', `${api}/readyz`)];
  const answers = [...internal, ...forClients];
  const running = versions.filter((found) => found !== undefined);
  return {
    presence: [
      ...absent,
      ...answers.flatMap(({ silence }) => silence ?? []),
      ...(running.length > 0 ? [judgeVersions(running, ownVersion)] : []),
      // A proxy may respond for the API with a clock of another machine.
      ...judgeClocks(internal.flatMap(({ clock }) => clock ?? [])),
    ],
    readiness: answers.flatMap(({ readiness }) => readiness ?? []),
  };
}

/** Without a projector the tables fall behind, without a dispatcher deliveries. */
function describeAbsent(service: string): Finding {
  const absent = fault(`no ${service} takes part`, `start one: ${remedy}`);
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

const remedy = 'npm start, docker compose up, or see its log';

interface ServiceClock extends ClockReading {
  readonly name: string;
}

interface Answer {
  /** That it does not respond. */
  readonly silence?: Finding;
  readonly readiness?: Finding;
  readonly clock?: ServiceClock;
}

async function ask(name: string, url: string): Promise<Answer> {
  const { host } = new URL(url);
  const before = Date.now();
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const there = Date.parse(answer.headers.get('date') ?? '');
    const after = Date.now();
    const clock = { name: `${name} at ${host}`, ...toReading({ there, before, after }) };
    return {
      readiness: await describeReadiness(name, answer),
      ...(Number.isNaN(there) ? {} : { clock }),
    };
  } catch {
    return { silence: fault(`${name} does not answer at ${host}`, `start it again: ${remedy}`) };
  }
}

/** The header has whole seconds, which the sender has cut off. */
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
    'docs/operations/runbook.md, AnnalsNotReady',
  );
}

const buildLine = /^annals_build_info[{][^}]*version="([^"]+)"/m;

/** As its metrics tell it, on its internal listener. Undefined for a process that does not answer: `ask` says so. */
async function readVersion(name: string, readyUrl: string): Promise<ProcessVersion | undefined> {
  const url = new URL('/metrics', readyUrl);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const version = buildLine.exec(await answer.text())?.[1];
    return version === undefined ? undefined : { name, host: url.host, version };
  } catch {
    return undefined;
  }
}
