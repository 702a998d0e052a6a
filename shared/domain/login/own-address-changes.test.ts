import { beforeEach, describe, expect, it } from 'vitest';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import { HOUR_MS } from '../mail/queued-email.ts';

const day = 24 * HOUR_MS;

let directory: ReturnType<typeof createDirectory>;
let events: number;

beforeEach(() => {
  directory = createDirectory(stockDefinitions);
  events = 0;
  directory.apply(aCreation('User', { emailAddress: 'first@x.com' }, { recordId: 'ann' }));
});

function change(
  [before, after]: readonly [string | null, string | null],
  occurredAt: number,
  by: { readonly actorId?: string; readonly administratorId?: string } = {},
): void {
  events += 1;
  const changes = [{ attribute: 'emailAddress', before, after }];
  const event = aCreation('User', {}, { recordId: 'ann', type: 'Updated' });
  const eventId = `e${events}`;
  directory.apply({ ...event, actorId: 'ann', ...by, eventId, occurredAt, changes });
}

const found = (now: number) => directory.ownAddressChanges.of('ann', now);

describe("a change of a user's own e-mail address", () => {
  it('is known for 24 hours', () => {
    change(['first@x.com', 'b@x.com'], 10);
    const expected = { eventId: 'e1', before: 'first@x.com', firstAtMs: 10, latestAtMs: 10 };
    expect(found(9 + day)).toMatchObject(expected);
    expect(found(10 + day)).toBe(undefined);
  });

  it('is continued by further changes within 24 hours, with the address before the first one', () => {
    change(['first@x.com', 'b@x.com'], 10);
    change(['b@x.com', 'c@x.com'], 9 + day);
    const continued = { eventId: 'e1', before: 'first@x.com', firstAtMs: 10, latestAtMs: 9 + day };
    expect(found(2 * day)).toMatchObject(continued);
    change(['c@x.com', 'd@x.com'], 9 + 2 * day);
    expect(found(3 * day)).toMatchObject({ eventId: 'e3', before: 'c@x.com' });
  });

  it('includes the first address of a user without one', () => {
    change([null, 'b@x.com'], 10);
    expect(found(20)).toMatchObject({ before: null });
  });

  it('is over when the user returns to the previous address, or an administrator sets one', () => {
    change(['first@x.com', 'b@x.com'], 10);
    change(['b@x.com', 'first@x.com'], 20);
    expect(found(30)).toBe(undefined);
    change(['first@x.com', 'b@x.com'], 40);
    change(['b@x.com', 'c@x.com'], 50, { actorId: 'boss' });
    expect(found(60)).toBe(undefined);
    change(['c@x.com', 'd@x.com'], 70, { administratorId: 'boss' });
    expect(found(80)).toBe(undefined);
  });

  it('is not a change of another attribute, nor the creation of a user', () => {
    directory.apply(aCreation('User', { lastName: 'Doe' }, { recordId: 'ann', type: 'Updated' }));
    expect([...directory.ownAddressChanges.all()]).toEqual([]);
  });
});
