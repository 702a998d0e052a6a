import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, createApiClient, recordIn } from '../../support/api-client.ts';
import { withPassword } from '../../support/credentials.ts';
import type { StartedProduct } from '../../support/harness/product.ts';
import type { BenchContext, BenchCost, BenchFigures } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';
import { type Cost, type Infrastructure, type Load, measureCost } from '../cost/measure-turns.ts';
import { productSubject } from '../cost/subject.ts';
import { findInfrastructure } from '../find-infrastructure.ts';
import { rounded } from '../median.ts';
import { readUsage } from '../process-usage.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { startProgram } from '../start-program.ts';

interface Measured {
  readonly perSecond: number;
  readonly cost: Cost;
  /** The most that the API needed in addition to its memory at the start. */
  readonly grownMb: number;
}

interface ImportCase {
  readonly name: string;
  readonly rows: number;
  /** Parts of the request. */
  readonly options: Readonly<Record<string, unknown>>;
  /** The number of the first Contact. */
  readonly from: number;
  /** True if every second row has the address of the row before it. */
  readonly isRepeated?: true;
}

const ROWS = 100_000;
const WARM_UP_ROWS = 20_000;
const POLL_MS = 100;
const CLIENTS = 64;
const columns = Object.keys(contactBodies(1)[0] ?? {});
const byAddress = { action: 'createAndUpdate', updateBy: [columns.indexOf('emailAddress')] };
const unchecked = { skipDuplicateChecking: true };

/** Measures imports of CSV files, compared with single requests of 64 clients. */
export async function benchImport(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const infrastructure = await findInfrastructure(context);
  const client = createApiClient(product.url, withPassword(product.access().admin));
  context.opened(async () => client.close());
  const rows = context.isQuick ? ROWS / 50 : ROWS;
  const some = rows / 5;
  const measure = async (one: ImportCase): Promise<Measured> => {
    const measured = await measureImport({ client, product, infrastructure }, one);
    context.report(`${one.name}: ${JSON.stringify(measured)}`);
    return measured;
  };
  const warmUpRows = context.isQuick ? some : WARM_UP_ROWS;
  await measure({ name: 'warm-up', rows: warmUpRows, options: unchecked, from: 0 });
  context.isReady();
  const cases: readonly ImportCase[] = [
    { name: 'new', rows, options: unchecked, from: rows },
    { name: 'new, with duplicate check', rows: some, options: {}, from: 2 * rows },
    { name: 'changes', rows: some, options: { ...byAddress, ...unchecked }, from: rows },
    {
      name: 'new, each with a change',
      ...{ rows: some, options: { ...byAddress, ...unchecked }, from: 3 * rows, isRepeated: true },
    },
  ];
  const found: (ImportCase & Measured)[] = [];
  for (const one of cases) found.push({ ...one, ...(await measure(one)) });
  const single = await measureSingle(context, product, infrastructure);
  return toFigures(found, single);
}

interface Place {
  readonly client: ApiClient;
  readonly product: StartedProduct;
  readonly infrastructure: Infrastructure;
}

async function measureImport(place: Place, one: ImportCase): Promise<Measured> {
  const { client, product, infrastructure } = place;
  const file = await client.post('/Import/file', toCsv(one), { 'Content-Type': 'text/csv' });
  const { attachmentId } = file.body as { readonly attachmentId: string };
  const body = { entityType: 'Contact', attributeList: columns, attachmentId, ...one.options };
  const services = servicesOf(product);
  const memoryMb = (): number => readUsage(services['api'] ?? 0).memoryMb;
  const before = memoryMb();
  let mostMb = before;
  const startedAt = performance.now();
  const cost = await measureCost(
    () => ({ ...processorTime(services), ...infrastructure.readProcessorTime() }),
    async () => {
      const started = await client.post('/Import', { ...body, headerRow: true, idleMode: true });
      const { id } = recordIn(started);
      for (;;) {
        const state = recordIn(await client.get(`/Import/${id}`));
        mostMb = Math.max(mostMb, memoryMb());
        if (state['status'] === 'Complete' && state['rejectedCount'] === 0) return one.rows;
        if (state['status'] !== 'In Process') throw new Error(JSON.stringify(state));
        await sleep(POLL_MS);
      }
    },
  );
  const seconds = (performance.now() - startedAt) / 1000;
  return { perSecond: Math.round(one.rows / seconds), cost, grownMb: Math.round(mostMb - before) };
}

function toCsv({ rows, from, isRepeated }: ImportCase): string {
  const bodies = contactBodies(from + rows).slice(from);
  const lines = bodies.map((body, index) => {
    const { emailAddress } = bodies[isRepeated ? index - (index % 2) : index] ?? body;
    return Object.values({ ...body, emailAddress, title: `Title ${index % 97}` }).join(',');
  });
  return [columns.join(','), ...lines].join('\n');
}

function servicesOf(product: StartedProduct): Readonly<Record<string, number>> {
  const { kafka, postgres, ...services } = product.access().processes;
  return Object.fromEntries(
    Object.entries(services).flatMap(([name, pid]) => (pid ? [[name, pid]] : [])),
  );
}

function processorTime(services: Readonly<Record<string, number>>) {
  return Object.fromEntries(
    Object.entries(services).map(([name, pid]) => [name, readUsage(pid).cpuMs]),
  );
}

/** Returns creations per second by single requests, and their cost. */
async function measureSingle(
  context: BenchContext,
  product: StartedProduct,
  infrastructure: Infrastructure,
): Promise<{ readonly perSecond: number; readonly cost: Cost }> {
  const load: Load = startProgram(context, 'load-generator.ts');
  const { host, port, requests, readProcessorTime } = await productSubject('single', product, 1);
  const measuredMs = context.isQuick ? 500 : 5_000;
  const spec = { host, port, requests: requests.create ?? [], clients: CLIENTS, warmUpMs: 0 };
  let perSecond = 0;
  const cost = await measureCost(
    () => ({ ...readProcessorTime(), ...infrastructure.readProcessorTime() }),
    async () => {
      ({ perSecond } = await load.send({ ...spec, measuredMs }));
      return (perSecond * measuredMs) / 1000;
    },
  );
  return { perSecond, cost };
}

function toFigures(
  found: readonly (ImportCase & Measured)[],
  single: { readonly perSecond: number; readonly cost: Cost },
): BenchFigures {
  const value = found[0]?.perSecond ?? 0;
  const costs: BenchCost[] = found.map(({ name, cost }) => ({
    work: name,
    subject: 'import',
    cost,
  }));
  costs.push({ work: 'new', subject: 'single requests', cost: single.cost });
  return {
    value,
    unit: 'rows/s of new Contacts',
    yardstick: single.perSecond,
    ratio: rounded(value / single.perSecond, 2),
    target: `5,000 rows/s; the API grows by less than 100 MB while it imports ${ROWS.toLocaleString('en')} rows`,
    ...Object.fromEntries(
      found.flatMap(({ name, perSecond, grownMb }) => [
        [`${name}, rows/s`, perSecond],
        [`${name}, MB`, grownMb],
      ]),
    ),
    costs,
  };
}
