// What `reads` is measured against: the same SQL on the same rows, with nothing around it.
import { fastify } from 'fastify';
import { createPool } from '../../../shared/db/pool.ts';
import type { PlainReadQuestion } from '../reads/bench-reads.ts';
import { answerParent } from './answer-parent.ts';

answerParent(async ({ databaseUrl, poolSize, byId, list, filtered }: PlainReadQuestion) => {
  const pool = createPool({ url: databaseUrl, poolSize, applicationName: 'annals-bench' });
  const server = fastify();
  server.get<{ Params: { readonly id: string } }>('/api/v1/Contact/:id', async ({ params }) => {
    const { rows } = await pool.query({ ...byId, values: [params.id] });
    return rows[0];
  });
  server.get<{ Querystring: { readonly where?: string } }>('/api/v1/Contact', async ({ query }) => {
    const { rows } = await pool.query(query.where === undefined ? list : filtered);
    return { total: rows[0]?.$total, list: rows };
  });
  return server.listen({ host: '127.0.0.1', port: 0 });
});
