import { describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { checkActivity } from './check-webhooks.ts';

const url = 'https://example.org/hook';
const active = { url, isActive: true };
const paused = { url, isActive: false };
const deactivated = { url, isActive: false, inactiveReason: 'Field does not exist.' };

function check(...webhooks: readonly Parameters<typeof aCreation>[1][]) {
  const directory = createDirectory(stockDefinitions);
  for (const [index, values] of webhooks.entries()) {
    directory.apply(aCreation('Webhook', values, { recordId: `w${index}` }));
  }
  return checkActivity(directory);
}

describe('the check of active webhooks', () => {
  it('is fine if all are active, or if no webhook exists', () => {
    expect(check()).toMatchObject([{ verdict: 'ok', code: 'webhooks.none' }]);
    expect(check(active)).toMatchObject([
      { verdict: 'ok', code: 'webhooks.active', parameters: { count: 1 } },
    ]);
  });

  it('is fine if a user has paused a webhook', () => {
    expect(check(active, paused)).toMatchObject([
      {
        verdict: 'ok',
        code: 'webhooks.paused',
        parameters: { paused: 1, count: 2 },
        links: [{ kind: 'record', entityType: 'Webhook', id: 'w1', name: `w1 at ${url}` }],
      },
    ]);
  });

  it('is a problem, with a remedy for each webhook, if Annals has deactivated webhooks', () => {
    const [found, other] = check(deactivated, paused, active);
    expect(found).toMatchObject({
      verdict: 'warning',
      code: 'webhooks.deactivated',
      parameters: { deactivated: 1, count: 3 },
      remedies: [{ action: 'activateWebhook', id: 'w0', name: `w0 at ${url}` }],
    });
    expect(other).toMatchObject({ verdict: 'ok', code: 'webhooks.paused' });
  });
});
