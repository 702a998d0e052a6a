import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppend } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { readCompacted } from '../../shared/kafka/read-compacted.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { resolveLinks } from './records/resolve-links.ts';
import type { Append } from './routing/append.ts';
import type { RouteCommand } from './routing/route-commands.ts';
import { createJudgeWebhookUrl } from './webhooks/judge-webhook-url.ts';
import { registerReplayRoutes } from './webhooks/replay-routes.ts';
import { keepSwitchingOffWebhooks } from './webhooks/switch-off-webhooks.ts';
import { createWebhookCommands, type WebhookCommands } from './webhooks/webhook-commands.ts';
import { createWebhookDeliveries, type WebhookDeliveries } from './webhooks/webhook-deliveries.ts';
import { registerWebhookRoutes } from './webhooks/webhook-routes.ts';
import type { LogEnds } from './wire-actions.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Registering, changing and removing webhooks, and asking for replays. */
export function wireWebhookCommands(
  deps: CommandDeps,
  {
    appendToDirectory,
    newId,
    ends,
  }: {
    readonly appendToDirectory: Append;
    readonly newId: () => string;
    readonly ends: LogEnds;
  },
): WebhookCommands {
  const { config, follower, pool } = deps;
  const { directory } = follower;
  return createWebhookCommands({
    directory,
    appendToDirectory,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    newId,
    secrets: deps.secrets,
    recordsEnd: ends.recordsEnd,
    maxPerUser: config.maxWebhooksPerUser,
    judgeUrl: createJudgeWebhookUrl(createTargetGuard(config.targets)),
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
  const { config, follower, kafka, lifecycle, log, partitions, pool, requireRoom } = deps;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for redeliveries', connection.close);
  return createWebhookDeliveries({
    directory: follower.directory,
    pool,
    append: createAppend(connection),
    requireRoom: () => requireRoom('Webhook'),
    batchesTopic: config.topics.webhookBatches,
    partitions,
    now: Date.now,
  });
}
