import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { startReceiver } from '../delivery/start-receiver.ts';
import { describeCommit } from '../describe-surroundings.ts';
import { findInfrastructure } from '../find-infrastructure.ts';
import { rounded } from '../median.ts';
import { cpuMsOf } from '../process-usage.ts';
import type { PlainReadRequest } from '../reads/bench-reads.ts';
import { contactColumns, fillContacts } from '../reads/fill-contacts.ts';
import { startProgram } from '../start-program.ts';
import { startOutboxServer } from '../writes/start-outbox-server.ts';
import { measureDelivery } from './measure-delivery.ts';
import { measureRebuild } from './measure-rebuild.ts';
import { type Cost, type Load, measureRequests } from './measure-turns.ts';
import { addressOf, kinds, productSubject, type Subject } from './subject.ts';
import { startVersions, type Version } from './versions.ts';

interface Prepared extends Version {
  readonly subject: Subject;
}

/** Costs of one kind of work, by subject. */
interface CostRow {
  readonly work: string;
  readonly costs: ReadonlyMap<string, Cost>;
}

/** The records that reads choose from. */
const STORED = 50_000;
/** No request filters by these owners. */
const owners = { userId: 'other-user', teamId: 'other-team' };
/**
 * The warm-up of each subject and kind. After 12 s the costs of creations still fell by a third in the turns that
 * followed, because the JIT compilers of broker and services were at work.
 */
const WARM_UP_MS = 30_000;
const CLIENTS = 64;
/** The pool size of the API. */
const POOL_SIZE = 16;
const historyPath = join(import.meta.dirname, '..', '..', '..', 'docs', 'benchmarks.csv');

/**
 * Measures the processor time of each process per request, per delivered event and per rebuilt event, compared
 * with the outbox of `writes` and the plain reads of `reads`, and with another commit after `--against`. It
 * depends less on the load of the machine than throughput does.
 */
export async function benchCost(context: BenchContext): Promise<BenchFigures> {
  const receiver = await startReceiver(context);
  const infrastructure = await findInfrastructure(context);
  const load: Load = startProgram(context, 'load-generator.ts');
  const versions = await prepareVersions(context, load, await startVersions(context, receiver));
  const [ours] = versions;
  if (ours === undefined) throw new Error('the product is missing');
  const outbox = await startOutbox(context, ours.subject);
  const plain = await startPlainReads(context, ours);
  const subjects = [...versions.map(({ subject }) => subject), outbox, plain];
  await warmUp(context, load, subjects);

  const rows: CostRow[] = [];
  for (const kind of kinds) {
    const able = subjects.filter(({ requests }) => requests[kind] !== undefined);
    rows.push({
      work: kind,
      costs: await measureRequests(context, { load, infrastructure }, kind, able),
    });
  }
  rows.push(
    { work: 'delivery', costs: await measureDelivery(context, { receiver, load }, versions) },
    { work: 'rebuild', costs: await measureRebuild(context, infrastructure, versions) },
  );
  const isUsual = context.against === undefined && context.records === undefined;
  if (!context.isQuick && isUsual) appendHistory(rows);
  return toFigures(rows);
}

/** Stores the records to read, and writes the records to update. */
async function prepareVersions(
  context: BenchContext,
  load: Load,
  versions: readonly Version[],
): Promise<readonly Prepared[]> {
  const count = context.records ?? (context.isQuick ? STORED / 10 : STORED);
  const prepared = [];
  for (const version of versions) {
    const { name, product } = version;
    const { url, apiKey, postgres } = product.access();
    context.report(`storing ${count} Contacts of ${name}`);
    await fillContacts(
      { url, apiKey: apiKey.apiKey, databaseUrl: postgres.url },
      { count, owners, isSearched: false },
    );
    const { requests, host, port } = await productSubject(name, product, count);
    await load.send({
      host,
      port,
      requests: requests.create ?? [],
      clients: CLIENTS,
      warmUpMs: 0,
      measuredMs: context.isQuick ? 500 : WARM_UP_MS,
    });
    prepared.push({ ...version, subject: await productSubject(name, product, count) });
  }
  return prepared;
}

async function startOutbox(context: BenchContext, ours: Subject): Promise<Subject> {
  const { url, pid } = await startOutboxServer(context);
  const { create } = ours.requests;
  return yardstick({ name: 'outbox', url, pid, requests: create === undefined ? {} : { create } });
}

async function startPlainReads(
  context: BenchContext,
  { product, subject }: Prepared,
): Promise<Subject> {
  const { apiKey, postgres } = product.access();
  const server = startProgram<PlainReadRequest, string>(context, 'plain-read-server.ts');
  const url = await server.send({
    databaseUrl: postgres.url,
    poolSize: POOL_SIZE,
    apiKeys: [apiKey.apiKey],
    columns: await withClient(postgres.url, contactColumns),
    own: { userId: '', city: '' },
  });
  const { create, update, ...requests } = subject.requests;
  return yardstick({ name: 'plain', url, pid: server.pid, requests });
}

function yardstick({
  name,
  url,
  pid,
  requests,
}: {
  readonly name: string;
  readonly url: string;
  readonly pid: number;
  readonly requests: Subject['requests'];
}): Subject {
  return {
    name,
    ...addressOf(url),
    requests,
    readProcessorTime: () => ({ server: cpuMsOf(pid) }),
  };
}

async function warmUp(
  context: BenchContext,
  load: Load,
  subjects: readonly Subject[],
): Promise<void> {
  for (const { name, host, port, requests } of subjects) {
    for (const kind of kinds) {
      if (requests[kind] === undefined) continue;
      context.report(`warming up ${kind} of ${name}`);
      const measuredMs = context.isQuick ? 300 : WARM_UP_MS;
      const spec = { host, port, requests: requests[kind], clients: CLIENTS, warmUpMs: 0 };
      await load.send({ ...spec, measuredMs });
    }
  }
}

/** Adds the costs of the product to the history of `docs/benchmarks.csv`. */
function appendHistory(rows: readonly CostRow[]): void {
  const date = new Date().toISOString().slice(0, 10);
  const commit = describeCommit().replace('commit ', '');
  const lines = rows.flatMap(({ work, costs }) =>
    [...costs].flatMap(([subject, cost]) =>
      Object.entries(cost).map(([process, us]) =>
        [date, commit, work, subject, process, us].join(),
      ),
    ),
  );
  appendFileSync(historyPath, lines.map((line) => `${line}\n`).join(''));
}

function toFigures(rows: readonly CostRow[]): BenchFigures {
  const create = rows.find(({ work }) => work === 'create')?.costs;
  const value = create?.get('product')?.['together'] ?? 0;
  const yardstick = create?.get('outbox')?.['together'] ?? 0;
  return {
    value,
    unit: 'µs of processor time per creation',
    yardstick,
    ratio: rounded(yardstick / value, 2),
    target:
      'creation 150 µs (api 70, projector 20) and 0.6 of the outbox; read by id 0.8 and list 1.0 of plain reads; 20 µs per rebuilt event',
    costs: rows.flatMap(({ work, costs }) =>
      [...costs].map(([subject, cost]) => ({ work, subject, cost })),
    ),
  };
}
