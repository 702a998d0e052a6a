import type { BenchContext, BenchFigures } from '../bench.ts';
import { contactBodies } from '../contact-bodies.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { buildPocketBase, hasGo, startPocketBase } from './start-pocketbase.ts';

type Load = Program<LoadSpec, LoadFigures>;
type Round = Readonly<Record<Kind, LoadFigures>>;

interface Side {
  readonly name: string;
  readonly target: Pick<LoadSpec, 'host' | 'port'>;
  readonly requests: Readonly<Record<Kind, readonly string[]>>;
}

const kinds = ['create', 'read', 'list', 'create only'] as const;
type Kind = (typeof kinds)[number];

const ROUNDS = 5;
const CLIENTS = 64;
/** The number of Contacts that are created in advance, then read. */
const CONTACTS = 2_000;
const ANNALS = 'Annals';
const FLUSHING = 'PocketBase with flushes';
const SHIPPED = 'PocketBase with its defaults';

/**
 * Measures creating, reading and listing Contacts in Annals and in PocketBase, a single process with embedded
 * SQLite, in turns. Skipped without Go, which builds PocketBase.
 */
export async function benchPeers(context: BenchContext): Promise<BenchFigures | undefined> {
  if (!hasGo()) {
    context.report('skipped: Go is missing, which builds PocketBase');
    return undefined;
  }
  const program = await buildPocketBase(context);
  const load: Load = startProgram(context, 'load-generator.ts');
  const sides = [
    await prepareAnnals(context, load),
    await preparePocketBase(context, load, { name: FLUSHING, program, durability: 'FULL' }),
    await preparePocketBase(context, load, { name: SHIPPED, program, durability: 'NORMAL' }),
  ];
  context.isReady();
  const rounds = new Map<string, Round[]>(sides.map(({ name }) => [name, []]));
  for (let round = 0; round < (context.isQuick ? 1 : ROUNDS); round++) {
    for (const side of sides) rounds.get(side.name)?.push(await measure(context, load, side));
  }
  return toFigures(rounds);
}

async function prepareAnnals(context: BenchContext, load: Load): Promise<Side> {
  const product = await startBenchProduct(context);
  const { hostname: host, port } = new URL(product.url);
  const { apiKey } = product.access().apiKey;
  const path = '/api/v1/Contact';
  return prepare(load, {
    name: ANNALS,
    target: { host, port: Number(port) },
    create: contactBodies(1_000).map((body) =>
      toHttpRequest({ method: 'POST', path, apiKey, body }),
    ),
    toList: (size, page) =>
      toHttpRequest({
        method: 'GET',
        path: `${path}?maxSize=${size}&offset=${size * page}`,
        apiKey,
      }),
    toRead: (id) => toHttpRequest({ method: 'GET', path: `${path}/${id}`, apiKey }),
    async findIds(page) {
      const answer = await fetch(`${product.url}${path}?maxSize=200&offset=${200 * page}`, {
        headers: { 'X-Api-Key': apiKey },
      });
      return idsOf(((await answer.json()) as { readonly list: unknown }).list);
    },
  });
}

async function preparePocketBase(
  context: BenchContext,
  load: Load,
  peer: {
    readonly name: string;
    readonly program: string;
    readonly durability: 'FULL' | 'NORMAL';
  },
): Promise<Side> {
  const { host, port, token } = await startPocketBase(context, peer.program, peer.durability);
  const path = '/api/collections/contacts/records';
  const toList = (size: number, page: number) =>
    `${path}?perPage=${size}&page=${page + 1}&sort=-created`;
  return prepare(load, {
    name: peer.name,
    target: { host, port },
    create: contactBodies(1_000).map((body) =>
      toHttpRequest({ method: 'POST', path, token, body }),
    ),
    toList: (size, page) => toHttpRequest({ method: 'GET', path: toList(size, page), token }),
    toRead: (id) => toHttpRequest({ method: 'GET', path: `${path}/${id}`, token }),
    async findIds(page) {
      const answer = await fetch(`http://${host}:${port}${toList(200, page)}`, {
        headers: { Authorization: token },
      });
      return idsOf(((await answer.json()) as { readonly items: unknown }).items);
    },
  });
}

function idsOf(rows: unknown): readonly string[] {
  return (rows as readonly { readonly id: string }[]).map(({ id }) => id);
}

async function prepare(
  load: Load,
  side: Pick<Side, 'name' | 'target'> & {
    readonly create: readonly string[];
    readonly toList: (size: number, page: number) => string;
    readonly toRead: (id: string) => string;
    readonly findIds: (page: number) => Promise<readonly string[]>;
  },
): Promise<Side> {
  const { create, name, target } = side;
  let made = 0;
  while (made < CONTACTS) {
    const spec = { ...target, requests: create, clients: CLIENTS, warmUpMs: 0, measuredMs: 2_000 };
    made += 2 * (await load.send(spec)).perSecond;
  }
  const pages = Array.from({ length: CONTACTS / 200 }, (_, page) => side.findIds(page));
  const ids = (await Promise.all(pages)).flat();
  return {
    name,
    target,
    requests: {
      create,
      read: ids.map(side.toRead),
      list: [side.toList(20, 0)],
      'create only': create,
    },
  };
}

async function measure({ isQuick, report }: BenchContext, load: Load, side: Side): Promise<Round> {
  const ask = async (kind: Kind): Promise<LoadFigures> => {
    const figures = await load.send({
      ...side.target,
      requests: side.requests[kind],
      clients: kind === 'create only' ? 1 : CLIENTS,
      warmUpMs: 200,
      measuredMs: isQuick ? 300 : 1_000,
    });
    report(`${side.name}, ${kind}: ${JSON.stringify(figures)}`);
    return figures;
  };
  return {
    create: await ask('create'),
    read: await ask('read'),
    list: await ask('list'),
    'create only': await ask('create only'),
  };
}

function toFigures(rounds: ReadonlyMap<string, readonly Round[]>): BenchFigures {
  const of = (name: string, kind: Kind) => {
    const figures = (rounds.get(name) ?? []).map((round) => round[kind]);
    return {
      perSecond: medianOf(figures, ({ perSecond }) => perSecond),
      p50Ms: medianOf(figures, ({ p50Ms }) => p50Ms, 2),
      p99Ms: medianOf(figures, ({ p99Ms }) => p99Ms, 2),
    };
  };
  const value = of(ANNALS, 'create').perSecond;
  const yardstick = of(FLUSHING, 'create').perSecond;
  const described = [...rounds.keys()].flatMap((name) =>
    kinds.map((kind) => {
      const { perSecond, p50Ms, p99Ms } = of(name, kind);
      const clients = kind === 'create only' ? '1 client' : `${CLIENTS} clients`;
      const rate = perSecond.toLocaleString('en');
      const figures = `${rate}/s of ${clients}, p50 ${p50Ms} ms, p99 ${p99Ms} ms`;
      return [`${name}, ${kind}`, figures] as const;
    }),
  );
  return {
    value,
    unit: 'creations/s at 64 clients',
    yardstick,
    ratio: rounded(value / yardstick, 2),
    target: 'none: PocketBase 0.36.8 with SQLite for comparison',
    ...Object.fromEntries(described),
  };
}
