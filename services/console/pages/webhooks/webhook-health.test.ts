import { describe, expect, it } from 'vitest';
import type { Delivery, Webhook } from '../../api/webhooks.ts';
import { healthOf, lastSuccessIn, nameOf } from './webhook-health.ts';

const active = { isActive: true, inactiveReason: null };

function delivery(state: Delivery['state'], lastAttemptAt: string | null): Delivery {
  const lastStatus = state === 'delivered' ? 200 : 500;
  return {
    id: `${state} ${lastAttemptAt}`,
    state,
    enqueuedAt: '2030-01-01 10:00:00',
    events: 1,
    attempts: lastAttemptAt === null ? 0 : 1,
    lastAttemptAt,
    lastStatus,
    lastReason: null,
    replayId: null,
  };
}

describe('the health of a webhook', () => {
  it('is active before the first attempt and after a successful one', () => {
    expect(healthOf(active, [])).toBe('active');
    expect(healthOf(active, [delivery('waiting', null)])).toBe('active');
    expect(healthOf(active, [delivery('delivered', '2030-01-01 10:00:01')])).toBe('active');
  });

  it.each(['waiting', 'dead'] as const)('is failing if the newest attempt is %s', (state) => {
    const success = delivery('delivered', '2030-01-01 10:00:01');
    expect(healthOf(active, [success, delivery(state, '2030-01-01 10:00:02')])).toBe('failing');
  });

  it('is active if an older batch failed before the newest attempt succeeded', () => {
    const failure = delivery('dead', '2030-01-01 10:00:01');
    expect(healthOf(active, [failure, delivery('delivered', '2030-01-01 10:00:02')])).toBe(
      'active',
    );
  });

  it('ignores discarded batches', () => {
    expect(healthOf(active, [delivery('dropped', '2030-01-01 10:00:02')])).toBe('active');
  });

  it('is failing after a failed test', () => {
    const test = { ...delivery('dropped', '2030-01-01 10:00:02'), id: 'test_1' };
    expect(healthOf(active, [test])).toBe('failing');
  });

  it('is paused if a user or Annals deactivated the webhook', () => {
    const failures = [delivery('dead', '2030-01-01 10:00:01')];
    expect(healthOf({ isActive: false, inactiveReason: null }, failures)).toBe('paused');
    expect(healthOf({ isActive: true, inactiveReason: 'gone' }, failures)).toBe('paused');
  });
});

describe('the last success of a webhook', () => {
  it('is the newest successful attempt, in any order of the deliveries', () => {
    const deliveries = [
      delivery('dead', '2030-01-01 10:00:09'),
      delivery('delivered', '2030-01-01 10:00:01'),
      delivery('delivered', '2030-01-01 10:00:02'),
    ];
    expect(lastSuccessIn(deliveries)).toBe('2030-01-01 10:00:02');
    expect(lastSuccessIn([])).toBeUndefined();
  });
});

describe('the name of a webhook', () => {
  it.each([
    ['Orders to the shop\nsecond line', 'Orders to the shop'],
    ['  ', 'Contact.create'],
    [null, 'Contact.create'],
  ])('for the description %j is %s', (description, name) => {
    expect(nameOf({ id: '1', event: 'Contact.create', description } as Webhook)).toBe(name);
  });
});
