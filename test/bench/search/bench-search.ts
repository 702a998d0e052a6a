import type { BenchCase, BenchContext, BenchFigures } from '../bench.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { rounded } from '../median.ts';
import { fillContacts } from '../reads/fill-contacts.ts';
import { makeReaders, type Readers } from '../reads/make-readers.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { calledDigits, people } from './people.ts';

interface SearchCase {
  readonly name: string;
  /** Paths without `/api/v1`, requested in turn. */
  readonly paths: readonly string[];
  readonly apiKey?: string;
}

const CONTACTS = 1_000_000;
const BELOW_MS = 100;
const [area, subscriber] = ['171', calledDigits];

/**
 * Measures how soon the first hits of searches by words appear, as one person types. The yardstick is a search by the
 * beginning of the name, EspoCRM's rule.
 */
export async function benchSearch(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const { url, apiKey: user, postgres } = product.access();
  const readers = await makeReaders(product);
  const contacts = context.isQuick ? CONTACTS / 20 : CONTACTS;
  context.report(`storing ${contacts} Contacts`);
  await fillContacts(
    { url, apiKey: user.apiKey, databaseUrl: postgres.url },
    { count: contacts, owners: readers.own, isSearched: false, columns: people },
  );
  context.isReady();
  const load: Program<LoadSpec, LoadFigures> = startProgram(context, 'load-generator.ts');
  const { hostname: host, port } = new URL(url);
  const measured: BenchCase[] = [];
  for (const { name, paths, apiKey = user.apiKey } of searchCases(readers)) {
    const requests = paths.map((path) =>
      toHttpRequest({ method: 'GET', path: `/api/v1${path}`, apiKey }),
    );
    const { p50Ms, p95Ms } = await load.send({
      ...{ host, port: Number(port), requests },
      ...{ clients: 1, warmUpMs: 200, measuredMs: context.isQuick ? 300 : 2_000 },
    });
    context.report(`${name}: p50 ${p50Ms} ms, p95 ${p95Ms} ms`);
    measured.push({ name, p50Ms, p95Ms, below: BELOW_MS });
  }
  return toFigures(measured, contacts);
}

const yardstick = 'beginning of the name (espo)';
const secondWord = 'second word';

function searchCases(readers: Readers): readonly SearchCase[] {
  const list = (name: string, ...texts: readonly string[]): SearchCase => ({
    name,
    paths: texts.map((text) => `/Contact?maxSize=20&q=${encodeURIComponent(text)}`),
  });
  const extended = (name: string, { paths }: SearchCase, rest: string): SearchCase => ({
    name,
    paths: paths.map((path) => path + rest),
  });
  const everywhere = (name: string, text: string): SearchCase => ({
    name: `${name}, GlobalSearch`,
    paths: [`/GlobalSearch?maxSize=10&q=${encodeURIComponent(text)}`],
  });
  return [
    extended(yardstick, list('', 'Anna Waldhofer', 'Mia Rosenthal'), '&textFilterMode=espo'),
    list(secondWord, 'waldhofer', 'rosenthal'),
    {
      name: 'second word, with total',
      paths: [
        '/Contact?maxSize=20&textFilter=waldhofer',
        '/Contact?maxSize=20&textFilter=rosenthal',
      ],
    },
    { name: 'two letters, with total', paths: ['/Contact?maxSize=20&textFilter=mu'] },
    list('second word, without accents', 'konigsmuller', 'ludenscheidt', 'grossburg'),
    list('second part of a double name', 'steinberg hofbauer'),
    list('three words in any order', 'waldh alpenb anna'),
    list(
      'digits of a telephone number, in several spellings',
      `+49 ${area} ${subscriber}`,
      `0${area}/${subscriber}`,
      `0049-${area}-${subscriber.slice(0, 4)}`,
      `(0${area}) ${subscriber.slice(0, 3)} ${subscriber.slice(3)}`,
      subscriber.slice(-6),
    ),
    list('two letters', 'mu', 'ro'),
    list('a word of every record', 'mail'),
    list('no match', 'nowhere', 'anna nowhere'),
    extended('first name at the end of a list by name', list('', 'zoe'), '&orderBy=name'),
    { ...list('second word, with a role that reads own', 'wald'), apiKey: readers.own.apiKey },
    everywhere('second word', 'waldhofer'),
    everywhere('first name at the end of the alphabet', 'zoe'),
    everywhere('no match', 'nowhere'),
  ];
}

function toFigures(searches: readonly BenchCase[], contacts: number): BenchFigures {
  const p95Of = (wanted: string) => searches.find(({ name }) => name === wanted)?.p95Ms ?? 0;
  const value = p95Of(secondWord);
  const plain = p95Of(yardstick);
  return {
    value,
    unit: 'ms at p95 for a search by the second word of a name',
    yardstick: plain,
    ratio: rounded(plain / value, 2),
    target: `each search p95 below ${BELOW_MS} ms`,
    contacts,
    searches,
  };
}
