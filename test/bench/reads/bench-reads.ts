import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { contactColumns, contactId, fillContacts } from './fill-contacts.ts';
import { makeReaders } from './make-readers.ts';
import { filteredCity, filteredWhere, measureSearches } from './search-cases.ts';

export interface PlainReadRequest {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly apiKeys: readonly string[];
  /** All columns of Contacts that Postgres does not generate. */
  readonly columns: readonly string[];
  /** For the filtered list. */
  readonly own: { readonly userId: string; readonly city: string };
}

type Load = Program<LoadSpec, LoadFigures>;
type Kind = 'byId' | 'list' | 'listWithoutTotal' | 'filtered';
type Round = Readonly<Record<Kind, LoadFigures>>;
type Target = (kind: Kind) => Pick<LoadSpec, 'host' | 'port' | 'requests'>;

const CONTACTS = 1_000_000;
const READ_IDS = 5_000;
const CLIENTS = 64;
/** The pool size of the API. */
const POOL_SIZE = 16;
const kinds = ['byId', 'list', 'listWithoutTotal', 'filtered'] as const;

/**
 * Measures GET of a Contact, of the newest 20, and of 20 of the reader's own that match a filter, with
 * authorisation, compared with Fastify and pg that send the same rows unchanged. Then measures searches by
 * text and pages far from the start.
 */
export async function benchReads(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const { url, apiKey: user, postgres } = product.access();
  const { apiKey } = user;
  const databaseUrl = postgres.url;
  const readers = await makeReaders(product);
  const contacts = context.isQuick ? CONTACTS / 20 : CONTACTS;
  context.report(`storing ${contacts} Contacts`);
  await fillContacts({ url, apiKey, databaseUrl }, { count: contacts, owners: readers.own });
  context.isReady();

  const yardstick = startProgram<PlainReadRequest, string>(context, 'plain-read-server.ts');
  const plainUrl = await yardstick.send({
    databaseUrl,
    poolSize: POOL_SIZE,
    apiKeys: [apiKey, readers.own.apiKey],
    columns: await withClient(databaseUrl, contactColumns),
    own: { userId: readers.own.userId, city: filteredCity },
  });
  const load: Load = startProgram(context, 'load-generator.ts');
  const reader = { apiKey, ownApiKey: readers.own.apiKey, ids: pick(contacts, READ_IDS) };
  const toProduct = toTarget(url, reader);
  const toYardstick = toTarget(plainUrl, reader);
  const warmUpMs = context.isQuick ? 300 : 2_000;
  for (const target of [toProduct, toYardstick]) {
    for (const kind of kinds) {
      await load.send({ ...target(kind), clients: CLIENTS, warmUpMs: 0, measuredMs: warmUpMs });
    }
  }
  const rounds = await alternate(context, {
    rounds: 5,
    product: (round) => measure(context, load, `product ${round}`, toProduct),
    yardstick: (round) => measure(context, load, `Fastify + pg ${round}`, toYardstick),
  });
  const searches = await measureSearches(context, load, { url, apiKey, contacts, readers });
  return { ...toFigures(rounds.product, rounds.yardstick), contacts, searches };
}

function pick(contacts: number, count: number): readonly string[] {
  // A stride without a common factor visits the records in an order that looks random but is the same each time.
  return Array.from({ length: count }, (_, index) => contactId(((index * 7919) % contacts) + 1));
}

function toTarget(
  url: string,
  reader: { readonly apiKey: string; readonly ownApiKey: string; readonly ids: readonly string[] },
): Target {
  const { hostname, port } = new URL(url);
  const { apiKey, ownApiKey } = reader;
  const request = (path: string) => toHttpRequest({ method: 'GET', path, apiKey });
  const list = '/api/v1/Contact?maxSize=20';
  const filtered = `${list}&where=${encodeURIComponent(filteredWhere)}`;
  const requests = {
    byId: reader.ids.map((id) => request(`/api/v1/Contact/${id}`)),
    list: [request(list)],
    listWithoutTotal: [toHttpRequest({ method: 'GET', path: list, apiKey, withoutTotal: true })],
    filtered: [toHttpRequest({ method: 'GET', path: filtered, apiKey: ownApiKey })],
  };
  return (kind) => ({ host: hostname, port: Number(port), requests: requests[kind] });
}

async function measure(
  { isQuick, report }: BenchContext,
  load: Load,
  name: string,
  target: Target,
): Promise<Round> {
  const ask = async (kind: Kind): Promise<LoadFigures> => {
    const measuredMs = isQuick ? 300 : 2_000;
    const figures = await load.send({
      ...target(kind),
      clients: CLIENTS,
      warmUpMs: 200,
      measuredMs,
    });
    report(`${name}, ${kind}: ${JSON.stringify(figures)}`);
    return figures;
  };
  return {
    byId: await ask('byId'),
    list: await ask('list'),
    listWithoutTotal: await ask('listWithoutTotal'),
    filtered: await ask('filtered'),
  };
}

function toFigures(product: readonly Round[], yardstick: readonly Round[]) {
  const perSecond = (rounds: readonly Round[], kind: Kind) =>
    medianOf(rounds, (round) => round[kind].perSecond);
  const value = perSecond(product, 'byId');
  const plain = perSecond(yardstick, 'byId');
  const valueList = perSecond(product, 'list');
  const yardstickList = perSecond(yardstick, 'list');
  const valueFiltered = perSecond(product, 'filtered');
  const yardstickFiltered = perSecond(yardstick, 'filtered');
  return {
    value,
    unit: 'requests/s by id at 64 clients',
    yardstick: plain,
    ratio: rounded(value / plain, 2),
    target:
      'ratio 0.7 by id, 0.9 of a list of 20 and of a filtered one; with a total 0.7 of that without; searches by text p95 below 50 ms, pages far from the start below 100 ms',
    p50Ms: medianOf(product, ({ byId }) => byId.p50Ms, 2),
    p99Ms: medianOf(product, ({ byId }) => byId.p99Ms, 2),
    valueList,
    yardstickList,
    ratioList: rounded(valueList / yardstickList, 2),
    p50MsList: medianOf(product, ({ list }) => list.p50Ms, 2),
    p99MsList: medianOf(product, ({ list }) => list.p99Ms, 2),
    ratioListToOneWithoutTotal: rounded(valueList / perSecond(product, 'listWithoutTotal'), 2),
    valueFiltered,
    yardstickFiltered,
    ratioFiltered: rounded(valueFiltered / yardstickFiltered, 2),
    clients: CLIENTS,
  };
}
