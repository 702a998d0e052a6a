import { counted } from '../../../shared/domain/counted.ts';
import { isOfInactiveUser } from '../../../shared/domain/directory/acting-user.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { nameWebhook } from '../../../shared/installation/webhook-name.ts';
import { countDeadLetters } from '../status/count-dead-letters.ts';
import { measureQueues, type WebhookQueue } from '../status/measure-queues.ts';
import type { OpenInstallation } from './check-read-model.ts';
import { type Finding, type FindingLink, findingsAbout, nameSome } from './finding.ts';

const { ok, warning } = findingsAbout('webhooks');

/** With the default settings, a run every five minutes processes everything in the queue. */
const SLOW_QUEUE_SECONDS = 900;

export async function checkWebhooks(installation: OpenInstallation): Promise<readonly Finding[]> {
  const { directory, connection } = installation;
  return [
    ...checkActivity(directory),
    ...checkUsers(directory),
    await checkDeadLetters(installation),
    checkQueue(await measureQueues(installation, connection)),
  ];
}

/** Warns about webhooks that Annals has deactivated. A webhook that a user has paused is not a problem. */
export function checkActivity(directory: Directory): readonly Finding[] {
  const webhooks = directory.records('Webhook');
  const count = webhooks.length;
  const inactive = webhooks.filter(({ values }) => values['isActive'] !== true);
  const deactivated = inactive.filter(({ values }) => hasReason(values));
  const paused = inactive.filter(({ values }) => !hasReason(values));
  return [
    ...(deactivated.length > 0 ? [describeDeactivated(directory, deactivated, count)] : []),
    ...(paused.length > 0 ? [describePaused(directory, paused, count)] : []),
    ...(inactive.length > 0 ? [] : [describeAllActive(count)]),
  ];
}

function describeAllActive(count: number): Finding {
  return count === 0
    ? ok({ code: 'webhooks.none', says: 'No webhooks exist yet.' })
    : ok({
        code: 'webhooks.active',
        says: count === 1 ? 'The only webhook is active.' : `All ${count} webhooks are active.`,
        parameters: { count },
      });
}

function describePaused(directory: Directory, paused: Webhooks, count: number): Finding {
  return ok({
    code: 'webhooks.paused',
    says: `Users have paused ${paused.length} of ${counted(count, 'webhook')}: ${nameWebhooks(directory, paused)}.`,
    parameters: { paused: paused.length, count },
    links: linksTo(directory, paused),
  });
}

function describeDeactivated(directory: Directory, webhooks: Webhooks, count: number): Finding {
  return warning({
    code: 'webhooks.deactivated',
    says: `Annals has deactivated ${webhooks.length} of ${counted(count, 'webhook')}: ${nameWebhooks(directory, webhooks)}.`,
    remedy: 'activate them (PUT /Webhook/{id} with isActive), or remove them',
    parameters: { deactivated: webhooks.length, count },
    links: linksTo(directory, webhooks),
    remedies: webhooks.slice(0, MAX_LINKS).map(({ id }) => ({
      action: 'activateWebhook',
      id,
      name: nameWebhook(directory, id),
    })),
  });
}

/** Annals stores a reason when it deactivates a webhook; a user who deactivates one does not give any. */
function hasReason({ inactiveReason }: AttributeValues): boolean {
  return typeof inactiveReason === 'string' && inactiveReason !== '';
}

type Webhooks = readonly { readonly id: string }[];

/** More links would hide the other findings. */
const MAX_LINKS = 20;

function linksTo(directory: Directory, webhooks: Webhooks): readonly FindingLink[] {
  return webhooks.slice(0, MAX_LINKS).map(({ id }) => ({
    kind: 'record',
    entityType: 'Webhook',
    id,
    name: nameWebhook(directory, id),
  }));
}

function nameWebhooks(directory: Directory, webhooks: readonly { readonly id: string }[]): string {
  return nameSome(webhooks.map(({ id }) => nameWebhook(directory, id)));
}

/** Returns an empty list if no webhook is affected. */
function checkUsers(directory: Directory): readonly Finding[] {
  const silent = directory
    .records('Webhook')
    .filter(({ values }) => values['isActive'] === true && isOfInactiveUser(values, directory));
  if (silent.length === 0) return [];
  const users = new Set(silent.map(({ values }) => String(values['userId'])));
  return [
    warning({
      code: 'webhooks.userInactive',
      says: `${silent.length === 1 ? '1 webhook receives nothing because its user is' : `${silent.length} webhooks receive nothing because their users are`} deactivated: ${nameWebhooks(directory, silent)}.`,
      remedy:
        'run annals user enable <name>; or give them another user (PUT /Webhook/{id} with userId), or remove them',
      parameters: { count: silent.length },
      links: [
        ...linksTo(directory, silent),
        ...[...users].slice(0, MAX_LINKS).map((id) => linkToUser(directory, id)),
      ],
    }),
  ];
}

function linkToUser(directory: Directory, id: string): FindingLink {
  const name = String(directory.record('User', id)?.values['userName'] ?? id);
  return { kind: 'record', entityType: 'User', id, name };
}

async function checkDeadLetters({ client, directory }: OpenInstallation): Promise<Finding> {
  const counts = await countDeadLetters(client);
  if (counts.length === 0) {
    const says = 'No webhook has dead letters within the retention of attempts.';
    return ok({ code: 'webhooks.noDeadLetters', says });
  }
  const named = counts.map(
    ({ webhookId, batches }) =>
      `${nameWebhook(directory, webhookId)} (${counted(batches, 'batch')})`,
  );
  const webhooks = counts.map(({ webhookId }) => ({ id: webhookId }));
  const sendable = counts.filter(({ webhookId }) => isLive(directory, webhookId));
  return warning({
    code: 'webhooks.deadLetters',
    says: `${counted(counts.length, 'webhook')} ${counts.length === 1 ? 'has' : 'have'} dead letters within the retention of attempts: ${nameSome(named)}.`,
    remedy:
      'annals dead-letters list shows all; fix the receiver, then run annals dead-letters send --webhook <id>, or drop',
    parameters: {
      count: counts.length,
      batches: counts.reduce((sum, { batches }) => sum + batches, 0),
    },
    links: linksTo(directory, webhooks),
    remedies: sendable.slice(0, MAX_LINKS).map(({ webhookId, batches }) => ({
      action: 'redeliverDead',
      id: webhookId,
      name: nameWebhook(directory, webhookId),
      count: batches,
    })),
  });
}

function checkQueue([matching]: readonly WebhookQueue[]): Finding {
  const { waiting = 0, seconds = 0 } = matching ?? {};
  if (seconds < SLOW_QUEUE_SECONDS) {
    return ok({ code: 'webhooks.queueCurrent', says: 'The webhook queue keeps up.' });
  }
  const minutes = Math.ceil(seconds / 60);
  return warning({
    code: 'webhooks.queueSlow',
    says: `${counted(waiting, 'entry')} ${waiting === 1 ? 'waits' : 'wait'} to be matched with webhooks, the oldest for ${counted(minutes, 'minute')}.`,
    remedy:
      'raise WEBHOOK_QUEUE_EVENT_PORTION_SIZE and WEBHOOK_QUEUE_PORTION_SIZE, or set them to 0',
    parameters: { count: waiting, minutes },
    remedies: [{ action: 'processQueue' }],
  });
}

function isLive({ record }: Directory, webhookId: string): boolean {
  return record('Webhook', webhookId)?.deleted === false;
}
