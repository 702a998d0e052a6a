// @ts-nocheck: it runs before type stripping is available.
// Loaded into every service of a chaos run with `node --import`. Plain JavaScript, because it runs before anything else.
//
// Connections: CHAOS_PROXIES names a JSON file, { "<internal port of the service>": { "<port>": <proxy port> } }. Connections
// of the service to a port go to the proxy of that pair instead.
// Sabotage: CHAOS_SABOTAGE names a defect that is built into the writer while it is loaded.
// Poison: with CHAOS_POISON, a decision about a text with `chaos-poison-<class>` derives values that the tables reject, and
// the check of derived values does not detect them. Everything else is as in production: owner, token, sequence and
// authentication code.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

const sabotages = {
  // Treats every acknowledged append as written at the expected offset.
  'offset-check': {
    file: '/writer/partition-writer.ts',
    from: 'if (offset === from.offset) {',
    to: 'if (true) {',
  },
  // Takes a partition without a fence, and continues to use the token of the last owner.
  fence: {
    file: '/writer/partition-writer.ts',
    from: 'const token = newToken();',
    to: `const token = newToken();
    if (tail.position.token !== null) {
      this.#ownToken = tail.position.token;
      this.#isOwned = true;
      this.#ownedSince = tail.position.offset;
      this.#ownerAddress = address;
      this.#resolveDoubtful(tail);
      this.onOwned();
      return;
    }`,
  },
};

const INCOMPRESSIBLE = Array.from({ length: 900 }, (_, n) => hashOf(n)).join('');

/** The values that the event gets, by class. */
const poisons = {
  integer: () => ({ probability: 2_429_913_600 }),
  number: () => ({ probability: 'many' }),
  date: () => ({ closeDate: '2027-02-31' }),
  nul: () => ({ description: 'a\0b' }),
  index: () => ({ accountId: INCOMPRESSIBLE }),
  // Each remains in the row, because Postgres moves only longer texts out of it.
  row: () => Object.fromEntries(numbered(400, (name, n) => [name, hashOf(n).padEnd(23, 'x')])),
  // A definition as large as the limits of definitions allow.
  wide: (changes) => withFields(changes, 400),
  // A definition that Postgres cannot create.
  columns: (changes) => withFields(changes, 1_700),
};

const decisions = {
  file: '/writer/decide-batch.ts',
  replacements: [
    ['changes: decision.changes,', 'changes: globalThis.chaosPoison(decision.changes),'],
    [
      'if (model !== undefined) requireStorable(',
      'if (event.changes === decision.changes && model !== undefined) requireStorable(',
    ],
  ],
};

redirectConnections(process.env.CHAOS_PROXIES, process.env.INTERNAL_PORT);
if (process.env.CHAOS_SABOTAGE) {
  const { file, from, to } = sabotages[process.env.CHAOS_SABOTAGE];
  rewrite({ file, replacements: [[from, to]] });
}
if (process.env.CHAOS_POISON) {
  globalThis.chaosPoison = poison;
  rewrite(decisions);
}

function redirectConnections(file, internalPort) {
  const proxies = file && internalPort && JSON.parse(readFileSync(file, 'utf8'))[internalPort];
  if (!proxies) return;
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function connectThroughProxy(...args) {
    // node:net passes the arguments of internal calls as one normalized list.
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (typeof options === 'object' && options !== null && proxies[options.port] !== undefined) {
      options.port = proxies[options.port];
    } else if (proxies[args[0]] !== undefined) {
      args[0] = proxies[args[0]];
    }
    return connect.apply(this, args);
  };
}

function poison(changes) {
  const [, name] = /chaos-poison-([a-z]+)/.exec(JSON.stringify(changes)) ?? [];
  const made = poisons[name]?.(changes);
  if (made === undefined) return changes;
  const others = changes.filter(({ attribute }) => made[attribute] === undefined);
  return [
    ...others,
    ...Object.entries(made).map(([attribute, after]) => ({ attribute, before: null, after })),
  ];
}

function withFields(changes, count) {
  const known = changes.find(({ attribute }) => attribute === 'fields')?.after;
  const added = Object.fromEntries(numbered(count, (name) => [name, { type: 'varchar' }]));
  return { fields: { ...known, ...added } };
}

function numbered(count, make) {
  return Array.from({ length: count }, (_, n) => make(`poison${n}`, n));
}

function hashOf(n) {
  return createHash('sha256').update(String(n)).digest('base64url').slice(0, 20);
}

function rewrite({ file, replacements }) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      let source = String(loaded.source);
      for (const [from, to] of replacements) {
        if (!source.includes(from)) throw new Error(`nothing to replace in ${url}: ${from}`);
        source = source.replace(from, to);
      }
      return { ...loaded, source };
    },
  });
}
