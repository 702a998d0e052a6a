import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppend } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { readCompacted } from '../../shared/kafka/read-compacted.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { keepSwitchingOffWebhooks } from './actions/switch-off-webhooks.ts';
import type { DirectoryCommands } from './commands/directory-commands.ts';
import { createJudgeWebhookUrl } from './commands/judge-webhook-url.ts';
import { resolveLinks } from './commands/resolve-links.ts';
import { createWebhookCommands, type WebhookCommands } from './commands/webhook-commands.ts';
import { createWebhookDeliveries, type WebhookDeliveries } from './commands/webhook-deliveries.ts';
import type { RouteCommand } from './forward/route-commands.ts';
import { registerReplayRoutes } from './http/replay-routes.ts';
import { registerWebhookRoutes } from './http/webhook-routes.ts';
import type { LogEnds } from './wire-actions.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Registering, changing and removing webhooks, and asking for replays. */
export function wireWebhookCommands(
  deps: CommandDeps,
  {
    directoryCommands,
    newId,
    ends,
  }: {
    readonly directoryCommands: DirectoryCommands;
    readonly newId: () => string;
    readonly ends: LogEnds;
  },
): WebhookCommands {
  const { config, follower, pool } = deps;
  const { directory } = follower;
  return createWebhookCommands({
    directory,
    directoryCommands,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    newId,
    secrets: deps.secrets,
    recordsEnd: ends.recordsEnd,
    maxPerUser: config.maxWebhooksPerUser,
    judgeUrl: createJudgeWebhookUrl(createTargetGuard(config.allowedTargets)),
    now: Date.now,
  });
}

/** What a webhook has beside its record: tests, redeliveries, replays; and an end when its event has none. */
export function wireWebhookRoutes(
  deps: CommandDeps,
  { route, isOwner }: { readonly route: RouteCommand; readonly isOwner: () => boolean },
): void {
  const { authentication, config, follower, kafka, lifecycle, log, server } = deps;
  const { authenticate } = authentication;
  const { directory } = follower;
  const switching = keepSwitchingOffWebhooks({ directory, route, isOwner, log, now: Date.now });
  lifecycle.opened('baseless webhooks', switching.close);
  registerWebhookRoutes(server, { authenticate, deliveries: wireWebhookDeliveries(deps) });
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for replays', connection.close);
  registerReplayRoutes(server, {
    directory,
    authenticate,
    untilConsistent: deps.untilConsistent,
    route,
    readProgress: async () =>
      readCompacted(connection, config.topics.webhookReplays, decodeReplayProgress),
    timeoutMs: config.writeTimeoutMs,
  });
}

function wireWebhookDeliveries(deps: CommandDeps): WebhookDeliveries {
  const { config, follower, kafka, lifecycle, log, partitions, pool } = deps;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for redeliveries', connection.close);
  return createWebhookDeliveries({
    directory: follower.directory,
    pool,
    append: createAppend(connection),
    batchesTopic: config.topics.webhookBatches,
    partitions,
    now: Date.now,
  });
}
