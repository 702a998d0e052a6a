import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { toReadiness } from '../../shared/http/observe/register-health.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { serveSettings } from '../../shared/service/serve-settings.ts';
import type { DispatcherConfig } from './config.ts';
import { createContext } from './create-context.ts';
import { Delivery } from './deliver/run-delivery.ts';
import { WorkShare } from './work-share.ts';

/** Matches events to webhooks and delivers them until the service's lifecycle is stopped. */
export async function startDispatcher(service: ServiceContext<DispatcherConfig>): Promise<void> {
  const { config, log, lifecycle } = service;
  let share: WorkShare | undefined;
  // Opened first, so that readiness can be checked during the start.
  const internal = createInternalServer({
    ...config.internal,
    log,
    metrics: service.metrics,
    onBug: service.reportBug,
    ready: async () =>
      toReadiness(share?.checks() ?? { kafka: false, queue: false, delivery: false }),
  });
  serveSettings(internal.server, config);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);
  const guard = guardLog(service, { clientId: 'annals-dispatcher', onLost: service.restart });
  await guard.opened;
  const { kafka } = guard;
  const follower = followDirectory(kafka, config.topics.directory, log);
  lifecycle.opened('directory', follower.close);
  await keepTrying('directory', log, follower.catchUp);
  const context = await createContext(service, { kafka, follower, address });
  const delivery = new Delivery(context);
  lifecycle.opened('delivery', () => delivery.close());
  const started = new WorkShare(context, delivery);
  lifecycle.opened('dispatching', () => started.close());
  share = started;
}
