import { beforeEach, describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { mailContext } from '../../../test/support/builders/mail-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createReminding, type DueEmail } from './reminder-emails.ts';

const HOUR_MS = 3_600_000;
const start = Date.UTC(2030, 0, 31, 10);
const secrets = createSecretBox('ab'.repeat(32));

let directory: ReturnType<typeof createDirectory>;
let now: number;
let isOwned: boolean;
let sent: { id: string; expiresAtMs: number; subject: string; text: string }[];
let failure: Error | undefined;
let ann: RecordState;
let due: readonly DueEmail[];
let look: () => Promise<void>;

function put(entityType: string, recordId: string, values: AttributeValues): void {
  directory.apply({ ...aCreation(entityType, values, { recordId }), occurredAt: now });
}

beforeEach(() => {
  directory = createDirectory(stockDefinitions);
  now = start;
  isOwned = true;
  sent = [];
  failure = undefined;
  put('User', 'ann', { userName: 'ann', isActive: true, emailAddress: 'ann@example.com' });
  ann = directory.records('User')[0] as RecordState;
  due = [aReminder('m1')];
  look = restart();
});

/** Returns the loop of a process that has just started with the same log. */
function restart(): () => Promise<void> {
  const context = mailContext({
    directory,
    secrets,
    now: () => now,
    isOwned: () => isOwned,
    onQueue(id, { expiresAtMs }, content) {
      if (failure !== undefined) throw failure;
      sent.push({ id, expiresAtMs: Number(expiresAtMs), ...content });
    },
  });
  return createReminding(context, async ({ wants }) =>
    due.filter(({ user, id }) => wants(user, id)),
  );
}

function aReminder(id: string, changes: Partial<DueEmail> = {}): DueEmail {
  return {
    user: ann,
    id: `${id}.1.600`,
    dueMs: start,
    at: { time: '2030-01-31 10:10:00', day: null },
    reminder: { data: { id, entityType: 'Meeting', name: 'Re\nview', dateField: 'dateStart' } },
    ...changes,
  };
}

describe('reminders by e-mail', () => {
  it('are queued once per user and reminder, also after a restart, and expire an hour after their time', async () => {
    await look();
    await look();
    await restart()();
    expect(sent).toMatchObject([{ subject: 'Reminder: Re view', expiresAtMs: start + HOUR_MS }]);
    expect(sent[0]?.text).toContain('Meeting: Re view\n');
    expect(sent[0]?.text).toContain('Start: Thursday, 31 January 2030 at 10:10 UTC');
    due = [aReminder('m1', { id: 'm1.2.600' })];
    await look();
    expect(new Set(sent.map(({ id }) => id)).size).toBe(2);
  });

  it('are queued only by the owner of the directory', async () => {
    isOwned = false;
    await look();
    expect(sent).toEqual([]);
  });

  it('are not sent to users who must not be reminded or have no address', async () => {
    put('User', 'bob', { userName: 'bob', isActive: true, emailAddress: null });
    const bob = directory.record('User', 'bob') as RecordState;
    due = [aReminder('m1', { reminder: undefined }), aReminder('m2', { user: bob })];
    await look();
    expect(sent).toEqual([]);
  });

  it('are tried again after an outage, and five minutes after they exceeded a limit', async () => {
    failure = new Unavailable('away');
    await expect(look()).rejects.toThrow('away');
    failure = new Refusal('too_many_requests', 'mail.limited', 'Too many.');
    await look();
    failure = undefined;
    await look();
    expect(sent).toEqual([]);
    now += 5 * 60_000;
    await look();
    expect(sent.length).toBe(1);
  });
});
