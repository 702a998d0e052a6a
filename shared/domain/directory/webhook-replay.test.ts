import { describe, expect, it } from 'vitest';
import {
  aCreation,
  aDeletionAfter,
  anUpdateAfter,
} from '../../../test/support/builders/record-event-builder.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { RecordEvent } from '../record/record-event.ts';
import { createDirectory } from './directory.ts';
import {
  replayStop,
  toReplayValues,
  toWebhookReplay,
  webhookReplayType,
} from './webhook-replay.ts';

const role = aCreation('Role', { data: { Webhook: true } }, { recordId: 'role' });
const owner = aCreation(
  'User',
  { type: 'api', isActive: true, rolesIds: ['role'] },
  { recordId: 'ann' },
);
const admin = aCreation('User', { type: 'admin', isActive: true }, { recordId: 'bob' });
const webhook = aCreation('Webhook', { userId: 'ann', event: 'Lead.create' }, { recordId: 'w' });
const input = { webhookId: 'w', from: 1, to: 2, dryRun: false, ends: [] };
const replay = (actorId: string) =>
  aCreation(webhookReplayType, toReplayValues(input), { recordId: 'r', actorId });

/** Returns the code that stops the replay after these events. */
function stopAfter(...events: readonly RecordEvent[]): string | undefined {
  const directory = createDirectory(stockDefinitions);
  for (const event of [role, owner, admin, webhook, ...events]) directory.apply(event);
  const state = directory.record(webhookReplayType, 'r');
  if (state === undefined) throw new Error('replay not found');
  return replayStop(directory, toWebhookReplay(state));
}

const resumedBy = (actorId: string) =>
  anUpdateAfter(replay('ann'), { resumedById: actorId, isCancelled: false }, { actorId });
const deactivated = (user: RecordEvent) => anUpdateAfter(user, { isActive: false });

describe('a replay', () => {
  it.each<[string, string | undefined, readonly RecordEvent[]]>([
    ['continues for the user of the webhook', undefined, [replay('ann')]],
    ['continues for an administrator', undefined, [replay('bob')]],
    ['stops if its user was deactivated', 'user.inactive', [replay('ann'), deactivated(owner)]],
    ['stops if its user was deleted', 'user.inactive', [replay('bob'), aDeletionAfter(admin)]],
    [
      'stops if its user lost access to webhooks',
      'webhook.forbidden',
      [replay('ann'), anUpdateAfter(role, { data: {} })],
    ],
    [
      'stops if its user is no longer an administrator',
      'webhook.forbidden',
      [replay('bob'), anUpdateAfter(admin, { type: 'regular' })],
    ],
    [
      'continues for the user who resumed it',
      undefined,
      [replay('ann'), deactivated(owner), resumedBy('bob')],
    ],
    [
      'stops if the user who resumed it was deactivated afterwards',
      'user.inactive',
      [replay('ann'), resumedBy('bob'), deactivated(admin)],
    ],
  ])('%s', (_, code, events) => {
    expect(stopAfter(...events)).toBe(code);
  });
});
