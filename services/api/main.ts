import { createPool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { createAuthenticate } from '../../shared/http/authenticate.ts';
import { buildServer } from '../../shared/http/build-server.ts';
import { createInternalServer, requireInternalToken } from '../../shared/http/internal-server.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { ensureTopics } from '../../shared/kafka/topics.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { runService } from '../../shared/runtime/run-service.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { loadConfig } from '../command/config.ts';
import { type CommandService, startCommand } from '../command/start-command.ts';
import { registerQueryRoutes } from '../query/http/routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 16;

/** Commands and queries on one listener: what clients know as the API. */
await runService({
  name: 'api',
  env: process.env,
  loadConfig,
  async start({ config, log, lifecycle, crash }) {
    const kafka = { brokers: config.brokers, clientId: 'annals-api' };
    await keepTrying('topics', log, () => ensureTopics(kafka, config.topics, config, log));
    const asking = createKafkaConnection(kafka, log);
    const partitions = await keepTrying('partitions', log, () =>
      asking.partitionsOf(config.topics.records),
    );
    await asking.close();

    const database = { url: config.databaseUrl, applicationName: 'annals-api' };
    const pool = createPool({ ...database, poolSize: POOL_SIZE });
    pool.on('error', (err) => log.warn({ err }, 'idle database connection lost'));
    lifecycle.opened('database', () => pool.end());
    const projection = watchProjection(database, log);
    lifecycle.opened('projection watch', projection.close);
    const follower = followDirectory(kafka, config.topics.directory, log);
    lifecycle.opened('directory', follower.close);

    const secrets = createSecretBox(config.secretKey);
    const { directory } = follower;
    const authenticate = createAuthenticate({ directory, secrets });
    const server = buildServer({ log, bodyLimitBytes: BODY_LIMIT_BYTES, onBug: crash });
    let command: CommandService | undefined;
    const internal = createInternalServer({
      ...config.internal,
      log,
      async ready() {
        const checks = {
          log: command?.isReady() ?? false,
          projection: projection.isListening(),
          listening: server.server.listening,
        };
        return { ready: Object.values(checks).every(Boolean), checks };
      },
    });
    const requireToken = requireInternalToken(secrets.internalToken());
    internal.server.delete<{ Params: { readonly id: string } }>(
      '/internal/webhooks/:id',
      async (request) => {
        requireToken(request);
        if (command === undefined) throw new Unavailable('still starting');
        await command.removeWebhook(request.params.id);
        return { removed: true };
      },
    );
    const internalAddress = await internal.listen();
    lifecycle.opened('internal listener', internal.close);

    await keepTrying('directory', log, follower.catchUp);
    registerQueryRoutes(server, { pool, directory, authenticate, secrets });
    command = await startCommand({
      config,
      kafka,
      partitions,
      pool,
      projection,
      follower,
      secrets,
      authenticate,
      server,
      internalAddress,
      lifecycle,
      log,
    });
    await server.listen(config.http);
    lifecycle.opened('listener', () => server.close());
    log.info({ ...config.http, partitions }, 'listening');
  },
});
