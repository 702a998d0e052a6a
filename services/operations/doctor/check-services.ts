import { describeServices } from '../../../shared/kafka/group/service-groups.ts';
import { version as ownVersion } from '../../../shared/runtime/version.ts';
import type { Observed } from '../installation/observed.ts';
import { type Finding, findingsAbout } from './finding.ts';
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

/**
 * The readiness and the version of every process: of those in the groups in which processes share their work, and of
 * those known from elsewhere.
 */
export async function checkServices(
  deps: Pick<Observed, 'kafka' | 'topicPrefix' | 'log'>,
  { processes, api, hasKafka }: KnownAddresses & { readonly hasKafka: boolean },
): Promise<readonly Finding[]> {
  const known = new Map<string, string>();
  const absent: Finding[] = [];
  const services = hasKafka ? Object.entries(await describeServices(deps)) : [];
  for (const [service, { members }] of services) {
    for (const address of members) known.set(`${address}/readyz`, service);
    if (members.length === 0)
      absent.push(fault(`no ${service} takes part`, `start one: ${remedy}`));
  }
  for (const [url, name] of processes) known.set(url, name);
  const versions = await Promise.all([...known].map(([url, name]) => readVersion(name, url)));
  if (api !== undefined) known.set(`${api}/readyz`, 'the API, at the address for clients,');
  const answers = await Promise.all([...known].map(([url, name]) => ask(name, url)));
  const running = versions.filter((found) => found !== undefined);
  const versionsFound = running.length > 0 ? [judgeVersions(running, ownVersion)] : [];
  return [...absent, ...answers, ...versionsFound];
}

const remedy = 'npm start, docker compose up, or see its log';

async function ask(name: string, url: string): Promise<Finding> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (answer.ok) return ok(`${name} is ready`);
    const { checks = {}, reasons = {} } = (await answer.json()) as {
      readonly checks?: Readonly<Record<string, boolean>>;
      readonly reasons?: Readonly<Record<string, string>>;
    };
    const failing = Object.keys(checks).flatMap((check) => {
      if (checks[check] === true) return [];
      return [reasons[check] === undefined ? check : `${check} (${reasons[check]})`];
    });
    return fault(
      `${name} is not ready: ${failing.join(', ') || `HTTP status ${answer.status}`}`,
      'docs/operations/runbook.md, AnnalsNotReady',
    );
  } catch {
    return fault(`${name} does not answer at ${new URL(url).host}`, `start it again: ${remedy}`);
  }
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
