import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { captureReadStatements, type ReadStatements } from './capture-read-statements.ts';
import { fillContacts } from './fill-contacts.ts';

export interface PlainReadQuestion extends ReadStatements {
  readonly databaseUrl: string;
  readonly poolSize: number;
}

type Load = Program<LoadSpec, LoadFigures>;
type Kind = 'byId' | 'list';
type Round = Readonly<Record<Kind, LoadFigures>>;
type Target = (kind: Kind) => Pick<LoadSpec, 'host' | 'port' | 'requests'>;

const CONTACTS = 100_000;
const READ_IDS = 5_000;
const CLIENTS = 64;
/** As many as the API has. */
const POOL_SIZE = 16;

/** GET of a Contact and of the newest 20, with authorisation; beside the very same SQL behind a bare Fastify. */
export async function benchReads(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const { url, apiKey, postgres } = product.access();
  const contacts = context.isQuick ? CONTACTS / 20 : CONTACTS;
  context.note(`storing ${contacts} Contacts`);
  const allIds = await fillContacts(
    { url, apiKey: apiKey.apiKey, databaseUrl: postgres.url },
    contacts,
  );
  const ids = pick(allIds, READ_IDS);

  const yardstick = startProgram<PlainReadQuestion, string>(context, 'plain-read-server.ts');
  const statements = await captureReadStatements();
  const databaseUrl = postgres.url;
  const plainUrl = await yardstick.ask({ ...statements, databaseUrl, poolSize: POOL_SIZE });
  const load: Load = startProgram(context, 'load-generator.ts');
  const toProduct = toTarget(url, apiKey.apiKey, ids);
  const toYardstick = toTarget(plainUrl, 'any', ids);
  const warmUpMs = context.isQuick ? 300 : 2_000;
  for (const target of [toProduct, toYardstick]) {
    for (const kind of ['byId', 'list'] as const) {
      await load.ask({ ...target(kind), clients: CLIENTS, warmUpMs: 0, measuredMs: warmUpMs });
    }
  }
  const rounds = await alternate(context, {
    rounds: 3,
    product: (round) => measure(context, load, `product ${round}`, toProduct),
    yardstick: (round) => measure(context, load, `bare Fastify + pg ${round}`, toYardstick),
  });
  return toFigures(rounds.product, rounds.yardstick);
}

function pick(ids: readonly string[], count: number): readonly string[] {
  // A stride without common factor visits them in an order that looks random and is the same each time.
  return Array.from({ length: count }, (_, index) => ids[(index * 7919) % ids.length] ?? '');
}

function toTarget(url: string, apiKey: string, ids: readonly string[]): Target {
  const { hostname, port } = new URL(url);
  const request = (path: string) => toHttpRequest({ method: 'GET', path, apiKey });
  const requests = {
    byId: ids.map((id) => request(`/api/v1/Contact/${id}`)),
    list: [request('/api/v1/Contact?maxSize=20')],
  };
  return (kind) => ({ host: hostname, port: Number(port), requests: requests[kind] });
}

async function measure(
  { isQuick, note }: BenchContext,
  load: Load,
  name: string,
  target: Target,
): Promise<Round> {
  const ask = async (kind: Kind): Promise<LoadFigures> => {
    const measuredMs = isQuick ? 300 : 2_000;
    const figures = await load.ask({
      ...target(kind),
      clients: CLIENTS,
      warmUpMs: 200,
      measuredMs,
    });
    note(`${name}, ${kind}: ${JSON.stringify(figures)}`);
    return figures;
  };
  return { byId: await ask('byId'), list: await ask('list') };
}

function toFigures(product: readonly Round[], yardstick: readonly Round[]): BenchFigures {
  const perSecond = (rounds: readonly Round[], kind: Kind) =>
    medianOf(rounds, (round) => round[kind].perSecond);
  const value = perSecond(product, 'byId');
  const plain = perSecond(yardstick, 'byId');
  const valueList = perSecond(product, 'list');
  const yardstickList = perSecond(yardstick, 'list');
  return {
    value,
    unit: 'requests/s by id at 64 clients',
    yardstick: plain,
    ratio: rounded(value / plain, 2),
    target: 'ratio 0.7, by id and list of 20',
    p50Ms: medianOf(product, ({ byId }) => byId.p50Ms, 2),
    p99Ms: medianOf(product, ({ byId }) => byId.p99Ms, 2),
    valueList,
    yardstickList,
    ratioList: rounded(valueList / yardstickList, 2),
    p50MsList: medianOf(product, ({ list }) => list.p50Ms, 2),
    p99MsList: medianOf(product, ({ list }) => list.p99Ms, 2),
    clients: CLIENTS,
    contacts: CONTACTS,
  };
}
