import { createProxySignature } from '../../../shared/http/address/proxy-header.ts';
import { toReadiness } from '../../../shared/http/observe/register-health.ts';
import { createInternalServer } from '../../../shared/http/server/internal-server.ts';
import { runService } from '../../../shared/service/run-service.ts';
import { loadBalancerConfig } from './config.ts';
import { forwardConnections } from './forward-connections.ts';
import { ApiTarget } from './target.ts';

/**
 * Shares one port between the apis of `npm start` (docs/adr/0005). Logs, settings and metrics call it `front`. A cluster
 * uses HAProxy instead (docs/adr/0059).
 */
await runService({
  name: 'front',
  env: process.env,
  loadConfig: loadBalancerConfig,
  async start({ config, log, lifecycle, metrics, reportBug }) {
    const isAnyAlive = (): boolean => targets.some(({ isAlive }) => isAlive);
    const targets = config.targets.map((target) => new ApiTarget(target, log, isAnyAlive));
    lifecycle.opened('targets', () => {
      for (const target of targets) target.close();
    });
    const server = forwardConnections(targets, createProxySignature(config.secretKey));
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(config.http, resolve);
    });
    // Open connections end with their targets.
    lifecycle.opened('listener', () => void server.close());
    const internal = createInternalServer({
      ...config.internal,
      log,
      metrics,
      onBug: reportBug,
      ready: async () => toReadiness({ target: isAnyAlive() }),
    });
    metrics.read('annals_front_connections', () =>
      targets.map(({ name, load }) => ({ labels: { target: name }, value: load })),
    );
    metrics.read('annals_front_target_alive', () =>
      targets.map(({ name, isAlive }) => ({ labels: { target: name }, value: Number(isAlive) })),
    );
    await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    log.info({ ...config.http, targets: targets.length }, 'listening');
  },
});
