import { pino } from 'pino';
import { beforeEach, describe, expect, it } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { HOUR_MS } from '../../../shared/domain/mail/queued-email.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { createSecretBox } from '../../../shared/secrets/secret-box.ts';
import { commandContext, senderOf } from '../../../test/support/builders/command-context.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { createExamination, type Fault } from './report-faults.ts';

const fault: Fault = { key: 'disk', part: 'disk', says: 'disk: full', remedy: 'free some space' };
const secrets = createSecretBox('ab'.repeat(32));
const boss = { type: 'admin', isActive: true, userName: 'boss', emailAddress: 'boss@example.com' };

let faults: readonly Fault[];
let parts: ReadonlySet<string>;
let isOwned: boolean;
let now: number;
let sent: { to: string; subject: string; text: string }[];
let examine: () => Promise<void>;

function start(users: Readonly<Record<string, AttributeValues>>, wanting: readonly string[]) {
  const directory = createDirectory(stockDefinitions);
  const put = (entityType: string, recordId: string, values: AttributeValues) =>
    directory.apply({ ...aCreation(entityType, values, { recordId }), occurredAt: now });
  for (const [id, values] of Object.entries(users)) put('User', id, values);
  for (const id of wanting) put('UserPreferences', id, { receiveFindingEmails: true });
  let ids = 0;
  const context = commandContext({
    clock: { now: () => now },
    now: () => now,
    config: {
      mail: { smtp: {}, from: '', siteUrl: 'https://annals.example.com', hidesUsers: true },
    },
    directory,
    directoryWriter: { isOwned: () => isOwned },
    log: pino({ level: 'silent' }),
    newId: () => `mail ${ids++}`,
    secrets,
    timeoutMs: 1,
    sender: senderOf(async (_, { id = '', body }) => {
      const { email } = body as { readonly email: AttributeValues };
      put('QueuedEmail', id, { ...email, status: 'queued', queuedAtMs: now, nextAttemptAtMs: now });
      sent.push(JSON.parse(secrets.open(String(email['content']))));
      return {} as never;
    }),
  });
  examine = createExamination(context, async () => ({ faults, parts }), undefined);
}

beforeEach(() => {
  faults = [fault];
  parts = new Set(['disk']);
  isOwned = true;
  now = 10 * HOUR_MS;
  sent = [];
});

async function examineAgain(minutes: number): Promise<void> {
  now += minutes * 60_000;
  await examine();
}

describe('e-mails about faults', () => {
  it('are sent once when a fault lasts for two examinations, and once when it is gone', async () => {
    start({ boss }, ['boss']);
    await examine();
    expect(sent).toEqual([]);
    await examineAgain(1);
    expect(sent).toMatchObject([{ to: 'boss@example.com', subject: 'Problem: disk: full' }]);
    expect(sent[0]?.text).toContain('To fix it: free some space');
    await examineAgain(90);
    expect(sent.length).toBe(1);
    faults = [];
    await examineAgain(1);
    expect(sent[1]).toMatchObject({ subject: 'Solved: disk: full' });
    await examineAgain(90);
    expect(sent.length).toBe(2);
  });

  it('are sent at most once per fault and hour', async () => {
    start({ boss }, ['boss']);
    await examine();
    await examineAgain(1);
    faults = [];
    await examineAgain(1);
    expect(sent.length).toBe(1);
    await examineAgain(60);
    expect(sent.length).toBe(2);
    faults = [fault];
    await examineAgain(1);
    await examineAgain(1);
    expect(sent.length).toBe(2);
    await examineAgain(60);
    expect(sent.length).toBe(3);
  });

  it('do not report a fault as gone while its part cannot be examined', async () => {
    start({ boss }, ['boss']);
    await examine();
    await examineAgain(1);
    faults = [];
    parts = new Set();
    await examineAgain(90);
    expect(sent.length).toBe(1);
    parts = new Set(['disk']);
    await examineAgain(1);
    expect(sent.length).toBe(2);
  });

  it('are sent only to active administrators who turned them on and have an address', async () => {
    start(
      {
        boss,
        quiet: { ...boss, emailAddress: 'quiet@example.com' },
        ann: { ...boss, type: 'regular', emailAddress: 'ann@example.com' },
        left: { ...boss, isActive: false, emailAddress: 'left@example.com' },
        nowhere: { ...boss, emailAddress: null },
      },
      ['boss', 'ann', 'left', 'nowhere'],
    );
    await examine();
    await examineAgain(1);
    expect(sent.map(({ to }) => to)).toEqual(['boss@example.com']);
  });

  it('are sent only by the owner of the directory, which does not repeat those of an earlier owner', async () => {
    start({ boss }, ['boss']);
    isOwned = false;
    await examine();
    await examineAgain(1);
    expect(sent).toEqual([]);
    isOwned = true;
    await examineAgain(1);
    await examineAgain(1);
    expect(sent.length).toBe(1);
  });
});
