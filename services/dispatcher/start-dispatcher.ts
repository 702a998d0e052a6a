import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { toReadiness } from '../../shared/http/observe/register-health.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { serveSettings } from '../../shared/service/serve-settings.ts';
import type { DispatcherConfig } from './config.ts';
import { wireWorkShare } from './wire-work-share.ts';
import type { WorkShare } from './work-share.ts';

/** Matches events to webhooks and delivers them, until its lifecycle is stopped. */
export async function startDispatcher(context: ServiceContext<DispatcherConfig>): Promise<void> {
  const { config, log, lifecycle } = context;
  let share: WorkShare | undefined;
  // Opened first, so that readiness can be queried during the start.
  const internal = createInternalServer({
    ...config.internal,
    log,
    metrics: context.metrics,
    onBug: context.reportBug,
    ready: async () =>
      toReadiness(share?.checks() ?? { kafka: false, queue: false, delivery: false }),
  });
  serveSettings(internal.server, config);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);
  const guard = guardLog(context, { clientId: 'annals-dispatcher', onLost: context.restart });
  await guard.opened;
  const { kafka } = guard;
  const follower = followDirectory(kafka, config.topics.directory, log);
  lifecycle.opened('directory', follower.close);
  await keepTrying('directory', log, follower.catchUp);
  share = await wireWorkShare(context, { kafka, follower, address });
}
