import { describe, expect, it } from 'vitest';
import { switchActivity, toWebhook, wasActiveAt } from './webhook.ts';

function webhook(activity: ReturnType<typeof switchActivity>) {
  return toWebhook({
    entityType: 'Webhook',
    id: 'w1',
    version: 1,
    deleted: false,
    values: {
      event: 'Account.create',
      entityType: 'Account',
      type: 'create',
      url: 'https://example.org',
      isActive: true,
      activity,
    },
  });
}

describe('the activity of a webhook', () => {
  it('starts at the end offset of each partition at registration', () => {
    const registered = webhook(switchActivity(null, true, [10n, 20n]));
    expect(wasActiveAt(registered, 0, 9n)).toBe(false);
    expect(wasActiveAt(registered, 0, 10n)).toBe(true);
    expect(wasActiveAt(registered, 1, 10n)).toBe(false);
  });

  it('includes events from before a deactivation and excludes events during it', () => {
    const on = switchActivity(null, true, [0n]);
    const off = switchActivity(on, false, [5n]);
    const again = webhook(switchActivity(off, true, [8n]));
    expect([4n, 5n, 7n, 8n].map((offset) => wasActiveAt(again, 0, offset))).toEqual([
      true,
      false,
      false,
      true,
    ]);
  });

  it('is empty for a webhook registered as inactive', () => {
    expect(wasActiveAt(webhook(switchActivity(null, false, [0n])), 0, 3n)).toBe(false);
  });
});
