import type { RequestParts } from '../api-client.ts';
import type { RandomSource } from '../builders/random-source.ts';

const methods = ['GET', 'GET', 'POST', 'POST', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];
const entities = ['Account', 'contact', 'leads', 'Case', 'Webhook', 'User', 'Role', 'Team'];
const oddSegments = ['', '.', '..', '%', '%00', '%2F', '%e4', 'action', '__proto__', '*', ';', '~'];
const parameters = [
  ...['maxSize', 'offset', 'orderBy', 'order', 'select', 'select[]', 'attributeSelect', 'asc'],
  ...['sortBy', 'where[0][type]', 'searchParams', 'q', '__proto__', 'constructor[prototype]'],
];
const attributes = [
  ...['id', 'name', 'lastName', 'emailAddress', 'emailAddressData', 'phoneNumberData', 'status'],
  ...['type', 'teamsIds', 'assignedUserId', 'opportunityAmount', 'opportunityAmountCurrency'],
  ...['scoreCust', 'description', 'doNotCall', 'billingAddressCity', 'event', 'url', 'isActive'],
  ...['__proto__', 'constructor', 'deleted', 'versionNumber', 'createdAt', 'number', 'website'],
];
const scalars = [
  ...[null, true, false, 0, -1, 1.5, 2 ** 31, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e308, 5e-324],
  ...['', ' ', 'x', '1', 'true', 'Acme', 'a@b.co', 'https://example.org/', 'Account.create'],
  ...['2026-01-01', '2026-01-01 10:00:00', 'New', 'Customer', 'USD', 'user', '\u0000', '\ud800'],
];
const headerChoices: readonly (readonly [string, readonly string[]])[] = [
  ['Accept', ['*/*', 'text/html', 'application/problem+json', '\u00e4']],
  ['Content-Type', ['application/json', 'application/json; charset=latin1', 'text/xml', ';']],
  ['Content-Encoding', ['gzip', 'identity', 'br, gzip']],
  ['Prefer', ['respond-async', 'return=minimal; x="y"', ',,,', '\u00ff']],
  ['X-No-Total', ['true', 'false', '1', '']],
  ['X-Version-Number', ['1', 'x', '-1']],
  ['If-Match', ['"v1"', '*', 'v', '']],
  ['If-None-Match', ['"v1"', '*']],
  ['X-Skip-Duplicate-Check', ['true']],
  ['Range', ['bytes=0-1']],
  ['X-Forwarded-For', ['::1', '<script>']],
  ['X-HTTP-Method-Override', ['DELETE']],
  ['Cookie', ['a=b; =;', 'x'.repeat(4_000)]],
];

/** Returns a random request that is valid HTTP: mostly nonsense, sometimes nearly valid, rarely valid. */
export function randomRequest(random: RandomSource, knownIds: readonly string[]): RequestParts {
  const method = random.pick(methods);
  const isWrite = method.startsWith('P');
  const body = random.chance(isWrite ? 0.95 : 0.1) ? randomBody(random) : undefined;
  return {
    method,
    target: randomTarget(random, method === 'POST' ? [] : knownIds),
    headers: { ...(body === undefined ? {} : jsonType), ...randomHeaders(random) },
    body,
  };
}

const jsonType = { 'Content-Type': 'application/json' };

function randomTarget(random: RandomSource, knownIds: readonly string[]): string {
  const segments = Array.from({ length: random.int(4) }, () =>
    random.chance(0.5) ? random.pick(oddSegments) : toComponent(random.text(12)),
  );
  const hasId = knownIds.length > 0 && random.chance(0.6);
  const known = [random.pick(entities), ...(hasId ? [random.pick(knownIds)] : [])];
  const path = random.chance(0.7) ? known : [...known.slice(random.int(2)), ...segments];
  const query = Array.from({ length: random.int(4) }, () => {
    const value = random.chance(0.5) ? String(random.pick(scalars)) : random.text(20);
    return `${random.pick(parameters)}=${toComponent(value)}`;
  });
  return `/api/v1/${path.join('/')}${query.length > 0 ? `?${query.join('&')}` : ''}`;
}

function randomHeaders(random: RandomSource): Readonly<Record<string, string>> {
  return Object.fromEntries(
    headerChoices
      .filter(() => random.chance(0.12))
      .map(([name, values]) => [name, random.pick(values)]),
  );
}

function randomBody(random: RandomSource): string | Buffer {
  const size = random.int(1 + random.int(6));
  const record = Object.fromEntries(
    Array.from({ length: size }, () => [random.pick(attributes), randomValue(random, 3)]),
  );
  const whole = { ...(random.chance(0.5) ? { name: 'x', lastName: 'y' } : {}), ...record };
  const text = JSON.stringify(random.chance(0.9) ? whole : randomValue(random, 4));
  if (random.chance(0.2)) return damage(random, text);
  return random.chance(0.05) ? Buffer.from(text, 'utf16le') : text;
}

function randomValue(random: RandomSource, depth: number): unknown {
  if (depth === 0 || random.chance(0.6)) return random.pick(scalars);
  if (random.chance(0.3)) return random.text(300);
  const values = Array.from({ length: random.int(4) }, () => randomValue(random, depth - 1));
  if (random.chance(0.5)) return values;
  return Object.fromEntries(values.map((value) => [random.pick(attributes), value]));
}

/** Omits, duplicates or inserts characters. */
function damage(random: RandomSource, text: string): string {
  const at = random.int(text.length + 1);
  const cut = random.int(4);
  return text.slice(0, at) + random.text(3) + text.slice(at + cut);
}

/** Returns the text as a client sends it: lone surrogates become U+FFFD. */
function toComponent(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
