// @ts-nocheck: it runs before anything that knows types.
// Loaded into every service of a chaos run with `node --import`. Plain JavaScript, since it runs before anything else.
//
// Connections: CHAOS_PROXIES names a JSON file, { "<internal port of the service>": { "<port>": <proxy port> } }. What the
// service would open to a port goes to the proxy of that pair.
// Sabotage: CHAOS_SABOTAGE names a mistake that is built into the writer while it is loaded.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { Socket } from 'node:net';

const sabotages = {
  // Every acknowledged append is taken to stand where it was expected.
  'offset-check': {
    file: '/writer/partition-writer.ts',
    from: 'if (offset === from.offset) {',
    to: 'if (true) {',
  },
  // A partition is taken without a fence: the token of the last owner is used on.
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
      this.#onOwned();
      return;
    }`,
  },
};

redirectConnections(process.env.CHAOS_PROXIES, process.env.INTERNAL_PORT);
if (process.env.CHAOS_SABOTAGE) sabotage(sabotages[process.env.CHAOS_SABOTAGE]);

function redirectConnections(file, internalPort) {
  const proxies = file && internalPort && JSON.parse(readFileSync(file, 'utf8'))[internalPort];
  if (!proxies) return;
  const connect = Socket.prototype.connect;
  Socket.prototype.connect = function connectThroughProxy(...args) {
    // node:net hands its own calls over as one normalized list.
    const options = Array.isArray(args[0]) ? args[0][0] : args[0];
    if (typeof options === 'object' && options !== null && proxies[options.port] !== undefined) {
      options.port = proxies[options.port];
    } else if (proxies[args[0]] !== undefined) {
      args[0] = proxies[args[0]];
    }
    return connect.apply(this, args);
  };
}

function sabotage({ file, from, to }) {
  registerHooks({
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context);
      if (!url.endsWith(file)) return loaded;
      const source = String(loaded.source);
      if (!source.includes(from)) throw new Error(`nothing to sabotage in ${url}`);
      return { ...loaded, source: source.replace(from, to) };
    },
  });
}
