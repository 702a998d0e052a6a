import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import { createAppendCoded } from '../../shared/kafka/append.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { readCompacted } from '../../shared/kafka/read-compacted.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import type { ReplayRouteDeps } from './webhooks/replay-routes.ts';
import { keepSwitchingOffWebhooks } from './webhooks/switch-off-webhooks.ts';
import { createWebhookUrlValidator } from './webhooks/validate-webhook-url.ts';
import type { DeliveryDeps } from './webhooks/webhook-deliveries.ts';
import type { WebhookRouteDeps } from './webhooks/webhook-routes.ts';
import type { SenderDeps } from './wire-deps.ts';

/** Wires samples, redeliveries and replays of webhooks, and the deactivation of webhooks whose event cannot happen. */
export function wireWebhookRoutes(
  deps: SenderDeps,
): Pick<ReplayRouteDeps & WebhookRouteDeps, 'deliveries' | 'validateUrl' | 'readProgress'> {
  const { config, directoryWriter, kafka, lifecycle, log, topics } = deps;
  const isOwner = () => directoryWriter.isOwned();
  lifecycle.opened('baseless webhooks', keepSwitchingOffWebhooks({ ...deps, isOwner }).close);
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for replays', connection.close);
  return {
    deliveries: wireWebhookDeliveries(deps),
    validateUrl: createWebhookUrlValidator(createTargetGuard(config.targets)),
    readProgress: async () =>
      readCompacted(connection, topics.webhookReplays, decodeReplayProgress),
  };
}

function wireWebhookDeliveries(deps: SenderDeps): DeliveryDeps {
  const { kafka, lifecycle, log, requireRoom, topics } = deps;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for redeliveries', connection.close);
  return {
    ...deps,
    append: createAppendCoded(connection),
    versions: connection.versions,
    requireRoom: () => requireRoom('Webhook'),
    batchesTopic: topics.webhookBatches,
  };
}
