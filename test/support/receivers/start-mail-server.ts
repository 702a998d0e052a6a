import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../eventually.ts';

export interface ReceivedEmail {
  readonly to: string;
  /** Headers and text as received, with quoted-printable text decoded. */
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  /** All e-mails to an address so far, including rejected ones. */
  received(to: string): readonly ReceivedEmail[];
  close(): Promise<void>;
}

const program = join(import.meta.dirname, 'smtp-server.ts');

/** Starts a mail server in another process. See smtp-server.ts for its replies. */
export async function startMailServer(
  options: { readonly port?: number; readonly user?: string; readonly password?: string } = {},
): Promise<MailServer> {
  const { port = 0, user, password } = options;
  const credentials = user === undefined ? [] : [user, password ?? ''];
  const child = spawn(process.execPath, [program, String(port), ...credentials], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const emails: ReceivedEmail[] = [];
  let listening: number | undefined;
  createInterface({ input: child.stdout }).on('line', (text) => {
    const line = JSON.parse(text) as { readonly port?: number } & ReceivedEmail;
    if (line.port === undefined) emails.push({ ...line, raw: decode(line.raw) });
    else listening = line.port;
  });
  const found = await eventually(() => {
    if (listening === undefined) throw new Error('the mail server does not listen yet');
    return listening;
  });
  return {
    port: found,
    received: (to) => emails.filter((email) => email.to === to),
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/** Decodes quoted-printable, the only encoding that short texts need. */
function decode(raw: string): string {
  if (!/^content-transfer-encoding: quoted-printable/im.test(raw)) return raw;
  const bytes = raw
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number(`0x${hex}`)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** Waits for the n-th e-mail to an address. */
export async function emailIn(
  server: Pick<MailServer, 'received'>,
  address: string,
  nth = 1,
): Promise<ReceivedEmail> {
  return eventually(() => {
    const found = server.received(address)[nth - 1];
    if (found === undefined) throw new Error(`no e-mail to ${address}`);
    return found;
  });
}

/** Returns the id in the link of an e-mail. */
export function requestIdIn({ raw }: ReceivedEmail): string {
  const [, id] = /\/change-password#([0-9a-f]{32})\s/.exec(raw) ?? [];
  if (id === undefined) throw new Error(`the e-mail has no link: ${raw}`);
  return id;
}
