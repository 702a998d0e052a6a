import { beforeEach, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { HOUR_MS } from '../../../shared/domain/mail/queued-email.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { mailContext } from '../../../test/support/builders/mail-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createAddressNotices } from './address-notices.ts';

const secrets = createSecretBox('ab'.repeat(32));

let directory: ReturnType<typeof createDirectory>;
let now: number;
let isOwned: boolean;
let attempts: number;
let failure: Error | undefined;
let recipients: unknown[];
let look: () => Promise<void>;

beforeEach(() => {
  directory = createDirectory(stockDefinitions);
  now = 1_000;
  isOwned = true;
  attempts = 0;
  failure = undefined;
  recipients = [];
  put('User', 'ann', { userName: 'ann', emailAddress: 'ann@example.com' });
  change('ann@example.com', 'other@example.com');
  look = restart();
});

function put(entityType: string, recordId: string, values: AttributeValues): void {
  directory.apply({ ...aCreation(entityType, values, { recordId }), occurredAt: now });
}

function change(before: string | null, after: string): void {
  const event = aCreation('User', {}, { recordId: 'ann', type: 'Updated' });
  const changes = [{ attribute: 'emailAddress', before, after }];
  directory.apply({ ...event, actorId: 'ann', occurredAt: now, changes });
}

/** Returns the loop of a process that has just started with the same log. */
function restart(): () => Promise<void> {
  return createAddressNotices(
    mailContext({
      directory,
      secrets,
      now: () => now,
      isOwned: () => isOwned,
      onQueue(_, _email, { to }) {
        attempts += 1;
        if (failure !== undefined) throw failure;
        recipients.push(to);
      },
    }),
  );
}

it('sends one notice to the previous address, also after a restart and further changes', async () => {
  await look();
  change('other@example.com', 'third@example.com');
  await look();
  await restart()();
  expect(recipients).toEqual(['ann@example.com']);
});

it('sends nothing from a process that does not own the directory', async () => {
  isOwned = false;
  await look();
  expect(attempts).toBe(0);
});

it('tries again five minutes after a limit was exceeded, and for twelve hours', async () => {
  failure = new Refusal('too_many_requests', 'mail.limited', 'limited');
  await look();
  await look();
  expect(attempts).toBe(1);
  now += 5 * 60_000;
  await look();
  expect(attempts).toBe(2);
  now += 12 * HOUR_MS;
  await look();
  expect(attempts).toBe(2);
});

it('sends nothing if the user had no address', async () => {
  change('other@example.com', 'ann@example.com');
  change(null, 'other@example.com');
  await look();
  expect(attempts).toBe(0);
});
