import { join } from 'node:path';
import { describeGroups } from '../../../shared/kafka/group/describe-group.ts';
import { version as ownVersion } from '../../../shared/runtime/version.ts';
import { readJsonIfPresent } from '../../local/data-directory/private-file.ts';
import { toReadyUrl } from '../../local/supervisor/service-environment.ts';
import type { Installation } from '../installation.ts';
import { type Finding, findingsAbout } from './finding.ts';
import { judgeVersions, type RunningProcess } from './judge-versions.ts';

const { ok, fault } = findingsAbout('services');

type Deps = Pick<Installation, 'kafka' | 'topicPrefix' | 'log' | 'dataDir' | 'api'>;

const ANSWER_WITHIN_MS = 5_000;
const kinds = { owners: 'api', projectors: 'projector', dispatchers: 'dispatcher' } as const;
/** Of the ports that `npm start` notes, those of its processes. */
const healthPort = /^(.+)Health$/;

/**
 * The readiness and the version of every process that is known: from the ports of an `npm start`, from the groups in
 * which processes share their work, and the API.
 */
export async function checkServices(
  deps: Deps,
  { hasKafka }: { readonly hasKafka: boolean },
): Promise<readonly Finding[]> {
  const known = new Map<string, string>();
  const absent: Finding[] = [];
  for (const [kind, members] of hasKafka ? await readMembers(deps) : []) {
    for (const address of members) known.set(`${address}/readyz`, kind);
    if (members.length === 0) absent.push(fault(`no ${kind} takes part`, `start one: ${remedy}`));
  }
  for (const [name, url] of readNotedUrls(deps.dataDir)) known.set(url, name);
  const versions = await Promise.all([...known].map(([url, name]) => readVersion(name, url)));
  if (deps.api !== undefined)
    known.set(`${deps.api.url}/readyz`, 'the API, at the address for clients,');
  const answers = await Promise.all([...known].map(([url, name]) => ask(name, url)));
  const running = versions.filter((found) => found !== undefined);
  const versionsFound = running.length > 0 ? [judgeVersions(running, ownVersion)] : [];
  return [...absent, ...answers, ...versionsFound];
}

const remedy = 'npm start, docker compose up, or see its log';

/** By the kind of a process the addresses of those that are members of its group. */
async function readMembers({ kafka, topicPrefix, log }: Deps) {
  const ids = Object.keys(kinds).map((name) => `${topicPrefix}.${name}`);
  const groups = await describeGroups(kafka, ids, log);
  return Object.entries(kinds).map(
    ([name, kind]) => [kind, groups.get(`${topicPrefix}.${name}`)?.members ?? []] as const,
  );
}

function readNotedUrls(directory: string | undefined): readonly (readonly [string, string])[] {
  if (directory === undefined) return [];
  const isRunning = readJsonIfPresent(join(directory, 'access.json')) !== undefined;
  const ports = Object(readJsonIfPresent(join(directory, 'ports.json')));
  return Object.entries(isRunning ? ports : {}).flatMap(([key, port]) => {
    const name = healthPort.exec(key)?.[1];
    return name === undefined ? [] : [[name, toReadyUrl(Number(port))] as const];
  });
}

async function ask(name: string, url: string): Promise<Finding> {
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    if (answer.ok) return ok(`${name} is ready`);
    const { checks = {} } = (await answer.json()) as { readonly checks?: object };
    const failing = Object.entries(checks).flatMap(([check, holds]) => (holds ? [] : [check]));
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
async function readVersion(name: string, readyUrl: string): Promise<RunningProcess | undefined> {
  const url = new URL('/metrics', readyUrl);
  try {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) });
    const version = buildLine.exec(await answer.text())?.[1];
    return version === undefined ? undefined : { name, host: url.host, version };
  } catch {
    return undefined;
  }
}
