import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { createApiClient, recordIn } from '../../support/api-client.ts';
import { withPassword } from '../../support/credentials.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import type { EndlessSpec } from '../load/endless-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { fillContacts } from '../reads/fill-contacts.ts';
import { readsContacts } from '../reads/make-readers.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { costliestSearch, excessiveSearch, oversizedSearch } from './costly-searches.ts';

const CONTACTS = 200_000;
const USERS = 10;
const ABUSE_CLIENTS = 8;
/** Pause between two searches of a user. */
const PAUSE_MS = 100;
const ROUNDS = 3;

interface Round {
  readonly atRest: LoadFigures;
  readonly besideCostly: LoadFigures;
  readonly besideExcessive: LoadFigures;
  readonly besideOversized: LoadFigures;
}

interface Harness {
  readonly address: { readonly host: string; readonly port: number };
  readonly databaseUrl: string;
  readonly requests: readonly string[];
  readonly load: Program<LoadSpec, LoadFigures>;
  readonly abuse: Program<EndlessSpec, number>;
}

/**
 * Measures ordinary searches of ten users while another user keeps eight connections busy with searches of
 * maximum cost, or with rejected ones, compared with the same searches alone.
 */
export async function benchFairness(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const { url, apiKey: writer, postgres } = product.access();
  const contacts = context.isQuick ? CONTACTS / 20 : CONTACTS;
  const keys = await makeUsers(product, USERS + 3 * ROUNDS);
  context.report(`storing ${contacts} Contacts`);
  const { apiKey } = writer;
  const databaseUrl = postgres.url;
  const nobody = { userId: 'nobody', teamId: 'nobody' };
  await fillContacts({ url, apiKey, databaseUrl }, { count: contacts, owners: nobody });
  context.isReady();
  const { hostname: host, port } = new URL(url);
  const harness: Harness = {
    address: { host, port: Number(port) },
    databaseUrl,
    requests: ordinarySearches(keys.slice(0, USERS), contacts),
    load: startProgram(context, 'load-generator.ts'),
    abuse: startProgram(context, 'endless-generator.ts'),
  };
  await measure(context, harness, 'warm-up');
  const rounds: Round[] = [];
  for (let round = 0; round < (context.isQuick ? 1 : ROUNDS); round++) {
    // Different users each time, because users with slow searches are delayed for a while.
    const [first, second, third] = keys.slice(USERS + 3 * round);
    rounds.push({
      atRest: await measure(context, harness, 'without other load'),
      besideCostly: await measureBeside(context, harness, toAbuse(costliestSearch(), first)),
      besideExcessive: await measureBeside(context, harness, toAbuse(excessiveSearch(), second)),
      besideOversized: await measureBeside(context, harness, toAbuse(oversizedSearch(), third)),
    });
  }
  return toFigures(rounds, contacts);
}

async function makeUsers(product: StartedProduct, count: number): Promise<readonly string[]> {
  const admin = createApiClient(product.url, withPassword(product.access().admin));
  const make = async (entityType: string, body: object) =>
    recordIn(await admin.post(`/${entityType}`, body));
  try {
    const { id: roleId } = await make('Role', { name: 'Reader', data: readsContacts('all') });
    const users = Array.from({ length: count }, (_, index) =>
      make('User', { userName: `searcher-${index}`, type: 'api', rolesIds: [roleId] }),
    );
    return (await Promise.all(users)).map((user) => String(user['apiKey']));
  } finally {
    admin.close();
  }
}

/** Searches of each user in turn: by the beginning of a name, by an address, by the middle of a name. */
function ordinarySearches(keys: readonly string[], contacts: number): readonly string[] {
  return Array.from({ length: keys.length * 30 }, (_, index) => {
    const number = Math.floor(contacts / 10) + ((index * 7919) % Math.floor(contacts / 2));
    const forms = [
      `textFilter=Lastname${number}`,
      `textFilter=contact.${number}`,
      `textFilter=*name${number}*`,
    ];
    const path = `/api/v1/Contact?maxSize=20&${forms[index % forms.length]}`;
    const apiKey = keys[index % keys.length] ?? '';
    return toHttpRequest({ method: 'GET', path, apiKey });
  });
}

function toAbuse(path: string, apiKey = ''): string {
  return toHttpRequest({ method: 'GET', path, apiKey });
}

async function measureBeside(
  context: BenchContext,
  harness: Harness,
  request: string,
): Promise<LoadFigures> {
  const { address, abuse, databaseUrl } = harness;
  const durationMs = context.isQuick ? 1_500 : 4_000;
  const abusing = abuse.send({
    ...address,
    request,
    clients: ABUSE_CLIENTS,
    pauseMs: 20,
    durationMs,
  });
  const figures = await measure(context, harness, 'with costly searches');
  context.report(`${await abusing} responses to the user with costly searches`);
  await withClient(databaseUrl, (client) =>
    client.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where application_name = 'annals-search' and state = 'active'`,
    ),
  );
  return figures;
}

async function measure(
  { isQuick, report }: BenchContext,
  { address, requests, load }: Harness,
  name: string,
): Promise<LoadFigures> {
  const figures = await load.send({
    ...address,
    requests,
    clients: USERS,
    pauseMs: PAUSE_MS,
    warmUpMs: isQuick ? 300 : 700,
    measuredMs: isQuick ? 700 : 3_000,
  });
  report(`${name}: ${JSON.stringify(figures)}`);
  return figures;
}

function toFigures(rounds: readonly Round[], contacts: number): BenchFigures {
  const p95 = (read: (round: Round) => LoadFigures) =>
    medianOf(rounds, (round) => read(round).p95Ms, 2);
  const value = p95(({ besideCostly }) => besideCostly);
  const yardstick = p95(({ atRest }) => atRest);
  return {
    value,
    unit: 'ms p95 of the searches of ten users during costly searches of another one',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target: 'below 3 times that without the costly searches: ratio 0.33',
    p95MsBesideRefused: p95(({ besideExcessive }) => besideExcessive),
    p95MsBesideOversized: p95(({ besideOversized }) => besideOversized),
    p50Ms: medianOf(rounds, ({ besideCostly }) => besideCostly.p50Ms, 2),
    yardstickP50Ms: medianOf(rounds, ({ atRest }) => atRest.p50Ms, 2),
    p99Ms: medianOf(rounds, ({ besideCostly }) => besideCostly.p99Ms, 2),
    yardstickP99Ms: medianOf(rounds, ({ atRest }) => atRest.p99Ms, 2),
    users: USERS,
    contacts,
  };
}
