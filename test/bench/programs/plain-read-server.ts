// The yardstick of `reads`: Fastify and pg, which check the keys of their users and send rows unchanged.
import { type FastifyRequest, fastify } from 'fastify';
import { createPool } from '../../../shared/db/pool.ts';
import type { PlainReadRequest } from '../reads/bench-reads.ts';
import { serveParent } from './serve-parent.ts';

serveParent(async ({ databaseUrl, poolSize, apiKeys, columns, own }: PlainReadRequest) => {
  const pool = createPool({ url: databaseUrl, poolSize, applicationName: 'annals-bench' });
  const select = `select ${columns.map((name) => `"${name}"`).join(', ')} from annals.contact`;
  const newest = 'order by created_at desc, id desc limit 20';
  const byId = { name: 'by-id', text: `${select} where id = $1` };
  const list = { name: 'list', text: `${select} where not deleted ${newest}` };
  const filtered = {
    name: 'filtered',
    text: `${select} where not deleted and assigned_user_id = $1 and address_city = $2 ${newest}`,
  };
  const users = new Set(apiKeys);
  const server = fastify();
  server.addHook('onRequest', async ({ headers }: FastifyRequest, reply) => {
    if (!users.has(String(headers['x-api-key']))) return reply.code(401).send();
  });
  server.get<{ Params: { readonly id: string } }>('/api/v1/Contact/:id', async ({ params }) => {
    const { rows } = await pool.query({ ...byId, values: [params.id] });
    return rows[0];
  });
  server.get<{ Querystring: { readonly where?: string } }>('/api/v1/Contact', async ({ query }) => {
    const { rows } = await (query.where === undefined
      ? pool.query(list)
      : pool.query({ ...filtered, values: [own.userId, own.city] }));
    return { list: rows };
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
});
