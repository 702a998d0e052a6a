import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { MailSettings } from '../../../shared/config/mail-settings.ts';
import { createSmtpClient, type SendFailure } from './smtp-client.ts';

let server: Server | undefined;
const sockets = new Set<Socket>();
const lines: string[] = [];

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  lines.length = 0;
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
});

/** Starts a server that replies to each command by its first word. A missing reply leaves the client waiting. */
async function listen(replies: Readonly<Record<string, string>>): Promise<number> {
  const all: Readonly<Record<string, string>> = {
    EHLO: '250 test',
    MAIL: '250 ok',
    RCPT: '250 ok',
    DATA: '354 go ahead',
    '.': '250 accepted',
    QUIT: '221 bye',
    STARTTLS: '502 not implemented',
    ...replies,
  };
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const reply = (line: string | undefined) => void (line && socket.write(`${line}\r\n`));
    reply(all['greeting'] ?? '220 test');
    let isData = false;
    const read = (line: string) => {
      lines.push(line);
      if (isData && line !== '.') return;
      const [word = ''] = line.split(/[ :]/);
      isData = word === 'DATA';
      reply(all[word]);
    };
    socket.on('data', (chunk) => chunk.toString().split('\r\n').forEach(read));
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

function settings(port: number, smtp: Partial<MailSettings['smtp']> = {}): MailSettings {
  return {
    smtp: {
      host: '127.0.0.1',
      port,
      isTls: false,
      requiresTls: false,
      credentials: undefined,
      ...smtp,
    },
    from: 'Annals <annals@example.com>',
    siteUrl: 'https://annals.example.com',
    hidesUsers: true,
  };
}

const email = {
  id: 'mail-1',
  queuedAtMs: Date.UTC(2030, 0, 1),
  to: 'ann@example.com',
  subject: 'Grüße',
  text: 'Hello\n.\nEnd\n',
};

function send(
  port: number,
  {
    smtp,
    signal = new AbortController().signal,
    ...changes
  }: Partial<typeof email> & {
    readonly smtp?: Partial<MailSettings['smtp']>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<void> {
  return createSmtpClient(settings(port, smtp)).send({ ...email, ...changes }, signal);
}

/** Returns the failure of an attempt that must fail. */
async function failureOf(attempt: Promise<void>): Promise<SendFailure> {
  const error = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ name: 'SendFailure' });
  return error as SendFailure;
}

describe('the SMTP client', () => {
  it('sends the same Message-ID and date in every attempt', async () => {
    const port = await listen({});
    await send(port);
    await send(port);
    const headers = (name: string) => lines.filter((line) => line.startsWith(`${name}:`));
    expect(headers('Message-ID')).toEqual(Array(2).fill('Message-ID: <mail-1@example.com>'));
    expect(headers('Date')).toEqual(Array(2).fill('Date: Tue, 01 Jan 2030 00:00:00 +0000'));
    expect(headers('From')[0]).toBe('From: Annals <annals@example.com>');
    expect(headers('To')[0]).toBe('To: ann@example.com');
    expect(headers('Auto-Submitted')[0]).toBe('Auto-Submitted: auto-generated');
  });

  it('adds no headers or recipients from line breaks in the subject, the text or the address', async () => {
    const port = await listen({});
    await send(port, {
      subject: 'Hello\r\nBcc: eve@example.com',
      text: 'Text\r\n.\r\nRCPT TO:<eve@example.com>\r\n',
    });
    const to = `ann@example.com>\r\nRCPT TO:<eve@example.com`;
    await send(port, { to }).catch(() => undefined);
    expect(lines.filter((line) => line.startsWith('Bcc'))).toEqual([]);
    const dataAt = lines.indexOf('DATA');
    expect(lines.slice(0, dataAt).filter((line) => line.startsWith('RCPT'))).toEqual([
      'RCPT TO:<ann@example.com>',
    ]);
    expect(lines).toContain('..');
    expect(lines).not.toContain('RCPT TO:<eve@example.com>\r');
  });

  it.each([
    [{ RCPT: '550 5.1.1 no such user' }, { isPermanent: true, isOfServer: false }],
    [{ MAIL: '553 sender rejected' }, { isPermanent: true, isOfServer: false }],
    [{ '.': '554 looks like spam' }, { isPermanent: true, isOfServer: false }],
    [{ RCPT: '451 try later' }, { isPermanent: false, isOfServer: false }],
    [{ '.': '452 mailbox full' }, { isPermanent: false, isOfServer: false }],
    [{ greeting: '421 too busy' }, { isPermanent: false, isOfServer: true }],
    [{ greeting: '554 no service' }, { isPermanent: false, isOfServer: true }],
  ])('classifies the reply %j', async (replies, expected) => {
    const port = await listen(replies);
    const { isPermanent, isOfServer, message } = await failureOf(send(port));
    expect({ isPermanent, isOfServer }).toEqual(expected);
    expect(message).toContain(Object.values(replies)[0]?.slice(4));
  });

  it('retries later if the credentials are rejected, and does not reveal them', async () => {
    const port = await listen({
      EHLO: '250-test\r\n250 AUTH PLAIN',
      AUTH: '535 user ann with password hidden-password is wrong',
    });
    const credentials = { user: 'ann', password: 'hidden-password' };
    const failure = await failureOf(send(port, { smtp: { credentials } }));
    expect(failure).toMatchObject({ isPermanent: false, isOfServer: true });
    expect(failure.message).toContain('535');
    expect(failure.message).not.toContain('hidden-password');
    expect(JSON.stringify({ ...failure, stack: failure.stack })).not.toContain('hidden-password');
  });

  it('removes addresses and links that the server quotes', async () => {
    const secret = '0123456789abcdef0123456789abcdef';
    const port = await listen({
      RCPT: `550 <ann@example.com> https://annals.example.com/change-password#${secret} ${secret}`,
    });
    const { message } = await failureOf(send(port));
    expect(message).not.toContain(secret);
    expect(message).not.toContain('ann@example.com');
    expect(message).not.toContain('change-password');
  });

  it('refuses a server without TLS if TLS is required', async () => {
    const port = await listen({});
    const failure = await failureOf(send(port, { smtp: { requiresTls: true } }));
    expect(failure).toMatchObject({ isPermanent: false, isOfServer: true });
    expect(lines.filter((line) => line.startsWith('MAIL'))).toEqual([]);
  });

  it('reports a server that is away', async () => {
    const port = await listen({});
    await new Promise((resolve) => server?.close(resolve));
    server = undefined;
    const failure = await failureOf(send(port));
    expect(failure).toMatchObject({ isPermanent: false, isOfServer: true });
    expect(failure.message).toContain('ECONNREFUSED');
  });

  it('closes the connection to a silent server when the attempt is aborted', async () => {
    const port = await listen({ greeting: '' });
    const stopping = new AbortController();
    const failing = failureOf(send(port, { signal: stopping.signal }));
    setTimeout(() => stopping.abort(), 50);
    expect(await failing).toMatchObject({ isPermanent: false, isOfServer: true });
  });
});
