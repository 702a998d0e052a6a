import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { measurePool } from '../../shared/db/measure-pool.ts';
import { createPool } from '../../shared/db/pool.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createAuthenticate } from '../../shared/http/authenticate.ts';
import { buildServer } from '../../shared/http/build-server.ts';
import { createInternalServer } from '../../shared/http/internal-server.ts';
import { registerHealth, toReadiness } from '../../shared/http/register-health.ts';
import { runService } from '../../shared/runtime/run-service.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { loadConfig } from './config.ts';
import { registerQueryRoutes } from './http/routes.ts';
import { openSearchPool } from './open-search-pool.ts';

const bodyLimitBytes = 1024 * 1024;
const poolSize = 10;
const answerWithinMs = 1_000;

await runService({
  name: 'query',
  env: process.env,
  loadConfig,
  async start({ config, log, lifecycle, metrics, restart }) {
    const secrets = createSecretBox(config.secretKey);
    const pool = createPool({ url: config.databaseUrl, poolSize, applicationName: 'annals-query' });
    pool.on('error', (err) => log.warn({ err }, 'database connection lost'));
    lifecycle.opened('database pool', async () => pool.end());
    measurePool(metrics, pool);

    const searchPool = openSearchPool(config, lifecycle, log);
    const kafka = { brokers: config.brokers, clientId: 'annals-query' };
    const follower = followDirectory(kafka, config.topics.directory, log);
    lifecycle.opened('directory', follower.close);
    const { directory } = follower;

    let knowsDirectory = false;
    const ready = async () =>
      toReadiness({ directory: knowsDirectory, postgres: await answers(pool) });
    const internal = createInternalServer({ ...config.internal, log, ready, metrics });
    await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    await follower.catchUp();
    knowsDirectory = true;

    const server = buildServer({
      log,
      bodyLimitBytes,
      metrics,
      onBug: () => restart('a request met a bug'),
    });
    registerHealth(server, { ready, metrics });
    const authenticate = createAuthenticate({ directory, secrets });
    registerQueryRoutes(server, { pool, searchPool, directory, authenticate, secrets });
    log.info({ address: await server.listen(config.http) }, 'listening');
    lifecycle.opened('listener', async () => server.close());
  },
});

async function answers(pool: Pool): Promise<boolean> {
  const answered = pool.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answered, sleep(answerWithinMs, false, { ref: false })]);
}
