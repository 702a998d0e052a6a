import type { BenchCase, BenchContext } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import type { Program } from '../start-program.ts';
import type { Readers } from './make-readers.ts';

interface SearchCase {
  readonly name: string;
  /** Queries for lists of Contacts, requested in turn. */
  readonly queries: readonly string[];
  readonly apiKey: string;
  readonly below?: number;
}

export const filteredCity = 'Rotterdam';
/** A filter without an index: it is evaluated for every record that the role shows. */
export const filteredWhere = JSON.stringify([
  { type: 'equals', attribute: 'addressCity', value: filteredCity },
]);
/** The number of concurrent searches in one process. */
const CLIENTS = 4;
const VARIANTS = 50;
const TEXT_BELOW_MS = 50;
const DEEP_BELOW_MS = 100;

/** Measures response times of searches and of pages far from the start, each with and without a total. */
export async function measureSearches(
  context: BenchContext,
  load: Program<LoadSpec, LoadFigures>,
  at: {
    readonly url: string;
    readonly apiKey: string;
    readonly contacts: number;
    readonly readers: Readers;
  },
): Promise<readonly BenchCase[]> {
  const { hostname: host, port } = new URL(at.url);
  const measured: BenchCase[] = [];
  for (const { name, queries, apiKey, below } of searchCases(at)) {
    for (const withoutTotal of [false, true]) {
      const requests = queries.map((query) =>
        toHttpRequest({
          method: 'GET',
          path: `/api/v1/Contact?maxSize=20&${query}`,
          apiKey,
          withoutTotal,
        }),
      );
      const { p50Ms, p95Ms } = await load.send({
        host,
        port: Number(port),
        requests,
        clients: CLIENTS,
        warmUpMs: 200,
        measuredMs: context.isQuick ? 300 : 1_500,
      });
      const fullName = withoutTotal ? `${name}, no total` : name;
      context.report(`${fullName}: p50 ${p50Ms} ms, p95 ${p95Ms} ms`);
      measured.push({ name: fullName, p50Ms, p95Ms, ...(below !== undefined && { below }) });
    }
  }
  return measured;
}

function searchCases({
  apiKey,
  contacts,
  readers,
}: {
  readonly apiKey: string;
  readonly contacts: number;
  readonly readers: Readers;
}): readonly SearchCase[] {
  // Each of them matches about the same number of Contacts: eleven if it has the digits of one in ten
  // thousand.
  const numbers = Array.from({ length: VARIANTS }, (_, index) =>
    String(Math.floor(contacts / 10) + ((index * 7919) % Math.floor(contacts / 2))),
  );
  const text = (name: string, toText: (number: string) => string): SearchCase => ({
    name: `textFilter, ${name}`,
    queries: numbers.map((number) => `textFilter=${encodeURIComponent(toText(number))}`),
    apiKey,
    below: TEXT_BELOW_MS,
  });
  const deep = (share: number, orderBy: string): SearchCase => ({
    name: `offset ${contacts * share} of ${contacts} by ${orderBy}`,
    queries: [`orderBy=${orderBy}&order=desc&offset=${contacts * share}`],
    apiKey,
    below: DEEP_BELOW_MS,
  });
  const ofReader = (who: keyof Readers): SearchCase => ({
    name: `filtered list with a role that reads ${who}`,
    queries: [`where=${encodeURIComponent(filteredWhere)}`],
    apiKey: readers[who].apiKey,
  });
  return [
    text('beginning of a name, few matches', (number) => `Lastname${number.slice(0, -1)}`),
    text('beginning of a name, a hundredth matches', (number) => `Lastname${number.slice(0, 2)}`),
    text('beginning of a name, no match', (number) => `Nobody${number}`),
    text('middle of a name, few matches', (number) => `*name${number.slice(0, -1)}*`),
    text('middle of an address', (number) => `*act.${number}@*`),
    text('middle of a name, no match', (number) => `*nobody${number}*`),
    deep(0.9, 'createdAt'),
    deep(0.5, 'createdAt'),
    deep(0.9, 'name'),
    ofReader('own'),
    ofReader('team'),
  ];
}
