import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppendCoded } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { readCompacted } from '../../shared/kafka/read-compacted.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import type { Append } from './forwarding/append.ts';
import type { SendToOwner } from './forwarding/send-to-owner.ts';
import { resolveLinks } from './records/input/resolve-links.ts';
import { createJudgeWebhookUrl } from './webhooks/judge-webhook-url.ts';
import type { ReplayRouteDeps } from './webhooks/replay-routes.ts';
import { keepSwitchingOffWebhooks } from './webhooks/switch-off-webhooks.ts';
import type { DeliveryDeps } from './webhooks/webhook-deliveries.ts';
import type { WebhookHandlerDeps } from './webhooks/webhook-handlers.ts';
import type { WebhookRouteDeps } from './webhooks/webhook-routes.ts';
import type { LogEndReads } from './wire-actions.ts';
import type { CommandDeps } from './wire-deps.ts';

/** Wires the handlers of webhooks and replays. */
export function wireWebhookHandlers(
  deps: CommandDeps,
  {
    appendToDirectory,
    newId,
    ends,
  }: {
    readonly appendToDirectory: Append;
    readonly newId: () => string;
    readonly ends: LogEndReads;
  },
): WebhookHandlerDeps {
  const { config, follower, pool } = deps;
  const { directory } = follower;
  return {
    directory,
    appendToDirectory,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    newId,
    secrets: deps.secrets,
    recordsEnd: ends.recordsEnd,
    maxPerUser: config.maxWebhooksPerUser,
    judgeUrl: createJudgeWebhookUrl(createTargetGuard(config.targets)),
    now: Date.now,
  };
}

/** Wires samples, redeliveries and replays of webhooks, and the deactivation of webhooks whose event cannot happen. */
export function wireWebhookRoutes(
  deps: CommandDeps,
  { sendToOwner, isOwner }: { readonly sendToOwner: SendToOwner; readonly isOwner: () => boolean },
): Pick<ReplayRouteDeps & WebhookRouteDeps, 'deliveries' | 'judgeUrl' | 'readProgress'> {
  const { config, follower, kafka, lifecycle, log } = deps;
  const { directory } = follower;
  const switching = keepSwitchingOffWebhooks({
    directory,
    sendToOwner,
    isOwner,
    log,
    now: Date.now,
  });
  lifecycle.opened('baseless webhooks', switching.close);
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for replays', connection.close);
  return {
    deliveries: wireWebhookDeliveries(deps),
    judgeUrl: createJudgeWebhookUrl(createTargetGuard(config.targets)),
    readProgress: async () =>
      readCompacted(connection, config.topics.webhookReplays, decodeReplayProgress),
  };
}

function wireWebhookDeliveries(deps: CommandDeps): DeliveryDeps {
  const { config, follower, kafka, lifecycle, log, partitions, pool, requireRoom } = deps;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for redeliveries', connection.close);
  return {
    directory: follower.directory,
    pool,
    append: createAppendCoded(connection),
    versions: connection.versions,
    requireRoom: () => requireRoom('Webhook'),
    batchesTopic: config.topics.webhookBatches,
    partitions,
    now: Date.now,
  };
}
