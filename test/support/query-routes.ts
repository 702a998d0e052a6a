import { pino } from 'pino';
import { registerQueryRoutes } from '../../services/query/routes.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { readProjectFile } from '../contract/source-files.ts';

/** Returns the URLs of the routes of a query process, whose dependencies are stubs. */
export async function findQueryRoutes(): Promise<ReadonlySet<string>> {
  const urls = new Set<string>();
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  server.addHook('onRoute', ({ url }) => void urls.add(url));
  const directory = createDirectory(stockDefinitions);
  const pools = { primary: {}, reads: {} };
  registerQueryRoutes(server, { directory, topics: topicNames('annals'), ...pools } as never);
  await server.ready();
  await server.close();
  return urls;
}

/** Returns the names at the beginning of paths that only apis serve, from the list of HAProxy and of the chart. */
export function readApiOnlyNames(): readonly string[] {
  const lines = readProjectFile('infra/haproxy/api-only.lst').trim().split('\n');
  return lines.filter((line) => !line.startsWith('#'));
}

const apiOnlyNames = readApiOnlyNames().map((one) => one.toLowerCase());

/** Returns whether HAProxy sends requests to a route to query processes. */
export function isForQuery({ method, url }: { readonly method: string; readonly url: string }) {
  const [, name] = /^\/api\/v1\/(:?[A-Za-z0-9]+)/.exec(url) ?? [];
  if (method !== 'GET' || name === undefined) return false;
  return !apiOnlyNames.some((one) => name.toLowerCase().startsWith(one));
}
