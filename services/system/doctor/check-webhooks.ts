import { counted } from '../../../shared/domain/counted.ts';
import { isOfInactiveUser } from '../../../shared/domain/directory/acting-user.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { nameWebhook } from '../../../shared/installation/webhook-name.ts';
import { countDeadLetters } from '../status/count-dead-letters.ts';
import { measureQueues, type WebhookQueue } from '../status/measure-queues.ts';
import type { OpenInstallation } from './check-read-model.ts';
import { type Finding, findingsAbout, nameSome } from './finding.ts';

const { ok, warning } = findingsAbout('webhooks');

/** With the default settings, a run every five minutes processes everything in the queue. */
const SLOW_QUEUE_SECONDS = 900;

export async function checkWebhooks(installation: OpenInstallation): Promise<readonly Finding[]> {
  const { directory, connection } = installation;
  const webhooks = directory.records('Webhook');
  const inactive = webhooks.filter(({ values }) => values['isActive'] !== true);
  const active =
    inactive.length === 0
      ? ok(webhooks.length === 0 ? 'do not exist yet' : `all ${webhooks.length} are active`)
      : warning(
          `${inactive.length} of ${webhooks.length} are inactive and receive nothing: ${nameWebhooks(directory, inactive)}`,
          'activate them (PUT /Webhook/{id} with isActive), or remove them',
        );
  return [
    active,
    ...checkUsers(directory),
    await checkDeadLetters(installation),
    checkQueue(await measureQueues(installation, connection)),
  ];
}

function nameWebhooks(directory: Directory, webhooks: readonly { readonly id: string }[]): string {
  return nameSome(webhooks.map(({ id }) => nameWebhook(directory, id)));
}

/** Returns nothing if no webhook is affected. */
function checkUsers(directory: Directory): readonly Finding[] {
  const silent = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true && isOfInactiveUser(values, directory));
  if (silent.length === 0) return [];
  return [
    warning(
      `${silent.length} receive nothing, because their users are deactivated: ${nameWebhooks(directory, silent)}`,
      'run annals user enable <name>; or give them another user (PUT /Webhook/{id} with userId), or remove them',
    ),
  ];
}

async function checkDeadLetters({ client, directory }: OpenInstallation): Promise<Finding> {
  const counts = await countDeadLetters(client);
  if (counts.length === 0) return ok('have no dead letters within the retention of attempts');
  const named = counts.map(
    ({ webhookId, batches }) =>
      `${nameWebhook(directory, webhookId)} (${counted(batches, 'batch')})`,
  );
  return warning(
    `${counts.length} have dead letters within the retention of attempts: ${nameSome(named)}`,
    'annals dead-letters list shows all; fix the receiver, then run annals dead-letters send --webhook <id>, or drop',
  );
}

function checkQueue([matching]: readonly WebhookQueue[]): Finding {
  const { waiting = 0, seconds = 0 } = matching ?? {};
  if (seconds < SLOW_QUEUE_SECONDS) return ok('the queue keeps up');
  return warning(
    `${counted(waiting, 'entry')} waiting to be matched, the oldest for ${counted(Math.ceil(seconds / 60), 'minute')}`,
    'raise WEBHOOK_QUEUE_EVENT_PORTION_SIZE and WEBHOOK_QUEUE_PORTION_SIZE, or set them to 0',
  );
}
