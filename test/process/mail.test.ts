import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { withClient } from '../../infra/local/postgres/find-database-fault.ts';
import { choosePorts } from '../../infra/local/processes/free-port.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { type ApiClient, createApiClient, listIn, recordIn } from '../support/api-client.ts';
import { withPassword } from '../support/credentials.ts';
import { eventually } from '../support/eventually.ts';
import { type StartedProduct, startProduct } from '../support/harness/product.ts';
import { createLogReader } from '../support/log/log-reader.ts';
import { readTableTexts } from '../support/proofs/read-table-texts.ts';
import {
  type MailServer,
  requestIdIn,
  startMailServer,
} from '../support/receivers/start-mail-server.ts';
import { scrape } from '../support/scrape.ts';

const topicPrefix = `mail-${process.pid}`;
const credentials = { user: 'annals', password: 'password-of-the-mail-server' };
/** Longer than the pause after a failure and the lease of an attempt together. */
const patience = { timeoutMs: 200_000, intervalMs: 250 };
let product: StartedProduct;
let admin: ApiClient;
let server: MailServer | undefined;
let port: number;

beforeAll(async () => {
  ({ port } = await choosePorts(['port'], {}));
  product = await startProduct({
    env: {
      ANNALS_TOPIC_PREFIX: topicPrefix,
      SMTP_URL: `smtp://${credentials.user}:${credentials.password}@127.0.0.1:${port}`,
      MAIL_FROM: 'annals@example.com',
      PUBLIC_URL: 'https://annals.example.com',
      LOG_LEVEL: 'trace',
    },
  });
  admin = createApiClient(product.url, withPassword(product.access().admin));
});

afterAll(async () => {
  admin?.close();
  await product?.remove();
  await server?.close();
});

/** Creates a user, and sends the user a link. */
async function sendLinkTo(name: string): Promise<string> {
  const emailAddress = `${name}@example.com`;
  const { id } = recordIn(
    await admin.post('/User', { userName: name, lastName: name, emailAddress }),
  );
  const sent = await admin.post('/UserSecurity/password/recovery', { id });
  expect([sent.status, sent.text]).toEqual([200, 'true']);
  return id;
}

async function emailOf(userId: string) {
  const { list } = listIn(await admin.get('/System/mail'));
  return list.find((email) => email['userId'] === userId);
}

const untilEmailIs = (userId: string, expected: object) =>
  eventually(async () => expect(await emailOf(userId)).toMatchObject(expected), patience);

it('sends e-mails that a mail server did not accept at first, and those of a process that died', async () => {
  const waiting = await sendLinkTo('waiting');
  await untilEmailIs(waiting, {
    status: 'queued',
    attempts: 1,
    lastError: expect.stringContaining('ECONNREFUSED'),
  });

  server = await startMailServer({ ...credentials, port });
  const { received } = server;
  const delayed = await sendLinkTo('later');
  const rejected = await sendLinkTo('never');
  await eventually(() => expect(received('later@example.com').length).toBe(1), patience);
  const interrupted = await sendLinkTo('hang');
  await eventually(() => expect(received('hang@example.com').length).toBe(1), patience);
  product.kill('api');

  await untilEmailIs(waiting, { status: 'sent' });
  await untilEmailIs(rejected, {
    status: 'failed',
    nextAttemptAt: null,
    lastError: expect.stringContaining('550'),
  });
  await untilEmailIs(delayed, { status: 'sent' });
  await untilEmailIs(interrupted, { status: 'sent', attempts: 2 });

  expect(received('waiting@example.com').length).toBe(1);
  expect(received('never@example.com')).toEqual([]);
  expect(received('later@example.com').length).toBe(2);
  const copies = received('hang@example.com').map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0]);
  expect(copies).toEqual(
    Array(2).fill(`Message-ID: <${(await emailOf(interrupted))?.id}@example.com>`),
  );

  const metrics = await scrape(product.internalUrl('api'));
  expect(metrics.samples('annals_mail_queued_emails').get('')).toBe(0);
  expect(metrics.sum('annals_mail_attempts_total')).toBeGreaterThan(2);
}, 400_000);

it('writes neither links nor texts nor the password of the server in clear text anywhere', async () => {
  const [email] = server?.received('waiting@example.com') ?? [];
  if (email === undefined) throw new Error('the first test has sent no e-mail');
  const secrets = [requestIdIn(email), credentials.password, 'To choose a password'];
  const foundIn = (text: string) => secrets.filter((secret) => text.includes(secret));
  expect(foundIn(email.raw).length).toBe(2);

  const log = createLogReader(product.access().kafka);
  const entries = (await log.messages(topicNames(topicPrefix).directory)).flat();
  await log.close();
  const bytes = entries.map(({ value }) => value?.toString('latin1') ?? '').join();
  expect(bytes).toContain('QueuedEmail');
  expect(foundIn(bytes)).toEqual([]);

  const tables = await withClient(product.access().postgres.url, readTableTexts);
  expect(tables.some(({ text }) => text.includes('QueuedEmail'))).toBe(true);
  for (const { name, text } of tables) expect([name, foundIn(text)]).toEqual([name, []]);

  const directory = join(product.dataDir, 'logs');
  for (const file of readdirSync(directory)) {
    expect([file, foundIn(readFileSync(join(directory, file), 'utf8'))]).toEqual([file, []]);
  }
});
