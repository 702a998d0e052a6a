import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { alternate } from '../alternate.ts';
import type { BenchContext, BenchFigures } from '../bench.ts';
import { variedBodies } from '../contact-bodies.ts';
import type { LoadFigures, LoadSpec } from '../load/closed-loop.ts';
import { toHttpRequest } from '../load/to-http-request.ts';
import { medianOf, rounded } from '../median.ts';
import { fillContacts } from '../reads/fill-contacts.ts';
import { startBenchProduct } from '../start-bench-product.ts';
import { type Program, startProgram } from '../start-program.ts';
import { startOutboxServer } from './start-outbox-server.ts';

type Load = Program<LoadSpec, LoadFigures>;
type Target = Pick<LoadSpec, 'host' | 'port' | 'requests'>;

const CLIENTS = 64;
const DISTINCT_BODIES = 20_000;
const SMALL = 10_000;
const LARGE = 1_000_000;
/** No request filters by these owners. */
const owners = { userId: 'nobody', teamId: 'none' };

/**
 * Measures POST of a Contact as in `writes`, with 10,000 existing varied ones, then 1,000,000; the yardstick
 * has as many rows, and indexes on name, e-mail address and time of creation.
 */
export async function benchLargeWrites(context: BenchContext): Promise<BenchFigures> {
  const product = await startBenchProduct(context);
  const { url, apiKey: user, postgres } = product.access();
  const at = { url, apiKey: user.apiKey, databaseUrl: postgres.url };
  const outbox = await startOutboxServer(context);
  await withClient(outbox.databaseUrl, (client) => client.query(outboxIndexes));
  const load: Load = startProgram(context, 'load-generator.ts');
  const targets = { product: toTarget(url, user.apiKey), outbox: toTarget(outbox.url, 'any') };

  async function measureAt(count: number, from: number) {
    context.report(`storing Contacts up to ${count}`);
    await fillContacts(at, { count: count - from, from, owners, isVaried: true });
    await withClient(outbox.databaseUrl, async (client) => {
      await client.query(multiplyOutbox, [from + 1, count]);
      await client.query('vacuum analyze');
    });
    context.isReady();
    for (const target of Object.values(targets)) await ask({ context, load }, target, WARM_UP_MS);
    const rounds = await alternate(context, {
      rounds: 5,
      product: () => ask({ context, load }, targets.product, MEASURED_MS),
      yardstick: () => ask({ context, load }, targets.outbox, MEASURED_MS),
    });
    const ours = medianOf(rounds.product, ({ perSecond }) => perSecond);
    const theirs = medianOf(rounds.yardstick, ({ perSecond }) => perSecond);
    context.report(`${count} Contacts: ${ours} requests/s, outbox ${theirs}`);
    return { ours, theirs };
  }

  const large = context.isQuick ? 5 * SMALL : LARGE;
  const few = await measureAt(SMALL, 0);
  const many = await measureAt(large, SMALL);
  return {
    value: many.ours,
    unit: `requests/s at 64 clients with ${large} Contacts`,
    yardstick: many.theirs,
    ratio: rounded(many.ours / many.theirs, 2),
    target: 'ratio 1.4; a write costs at most 1.15 times its cost with 10,000',
    valueSmall: few.ours,
    yardstickSmall: few.theirs,
    ratioSmall: rounded(few.ours / few.theirs, 2),
    costToSmall: rounded(few.ours / many.ours, 2),
    yardstickCostToSmall: rounded(few.theirs / many.theirs, 2),
  };
}

const WARM_UP_MS = 4_000;
const MEASURED_MS = 3_000;

function ask(
  { context, load }: { readonly context: BenchContext; readonly load: Load },
  target: Target,
  fullMs: number,
): Promise<LoadFigures> {
  const measuredMs = context.isQuick ? 300 : fullMs;
  return load.send({ ...target, clients: CLIENTS, warmUpMs: 200, measuredMs });
}

function toTarget(url: string, apiKey: string): Target {
  const { hostname, port } = new URL(url);
  const requests = variedBodies(DISTINCT_BODIES).map((body) =>
    toHttpRequest({ method: 'POST', path: '/api/v1/Contact', apiKey, body }),
  );
  return { host: hostname, port: Number(port), requests };
}

const outboxIndexes = `
  create index on contact (lower(first_name || ' ' || last_name));
  create index on contact (lower(last_name));
  create index on contact (lower(email_address));
`;

const multiplyOutbox = `
  insert into contact (id, salutation_name, first_name, last_name, title, email_address, address_city,
    address_country, description, created_at)
  select gen_random_uuid(), 'Mr.', left(md5(number::text), 6), right(md5(number::text), 10), 'Head of Procurement',
    left(md5(number::text), 12) || '@customer-' || number % 5300 || '.example.com', 'Rotterdam', 'Netherlands',
    'Met at the trade fair in May; asked for an offer on the larger plan.', now() - make_interval(secs => $2::int - number)
  from generate_series($1::int, $2::int) number`;
