import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { createTransport } from 'nodemailer';
import type { MailSettings, SmtpSettings } from '../../../shared/config/mail-settings.ts';
import type { EmailContent } from '../../../shared/domain/mail/queued-email.ts';

/** An e-mail that is sent now. */
interface OutgoingEmail extends EmailContent {
  /** The id of its record. */
  readonly id: string;
  readonly queuedAtMs: number;
}

/** Sends e-mails through the configured server. */
export interface SmtpClient {
  /**
   * Resolves when the server has accepted the e-mail. Rejects with SendFailure. If the connection is lost after the
   * content was sent, the server may have accepted the e-mail anyway.
   */
  send(email: OutgoingEmail, signal: AbortSignal): Promise<void>;
}

/** The failure of an attempt. The message contains neither addresses nor links. */
export class SendFailure extends Error {
  override readonly name = 'SendFailure';
  /** True if the server rejected this e-mail and would reject it again. */
  readonly isPermanent: boolean;
  /** True if the server accepts no e-mail at present: it is unreachable, or rejects the credentials. */
  readonly isOfServer: boolean;

  constructor(
    message: string,
    kind: { readonly isPermanent: boolean; readonly isOfServer: boolean },
  ) {
    super(message);
    this.isPermanent = kind.isPermanent;
    this.isOfServer = kind.isOfServer;
  }
}

const CONNECT_MS = 10_000;
/** The longest silence of the server. */
const SILENCE_MS = 30_000;
/** Limits an attempt against a server that responds slowly, byte by byte. Shorter than the lease of an attempt. */
const ATTEMPT_MS = 60_000;

/** Opens a connection per e-mail. */
export function createSmtpClient({ smtp, from }: MailSettings): SmtpClient {
  const domain = /@([^>]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, queuedAtMs, to, subject, text, html }, stopping) {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_MS)]);
      try {
        const socket = await open(smtp, signal);
        try {
          await createTransport(optionsFor(smtp, socket)).sendMail({
            from,
            to: { name: '', address: to },
            subject,
            text,
            html,
            // The same for every attempt, so that servers and mailboxes can recognize a repeated e-mail.
            messageId: `<${id}@${domain}>`,
            date: new Date(queuedAtMs),
            headers: { 'Auto-Submitted': 'auto-generated' },
          });
        } finally {
          socket.destroy();
        }
      } catch (error) {
        throw toFailure(error, signal, [to, smtp.credentials?.user, smtp.credentials?.password]);
      }
    },
  };
}

/** Opens the connection here and not in the library, so that aborting the signal closes it. */
async function open({ host, port }: SmtpSettings, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host, port, signal });
  try {
    await once(socket, 'connect', {
      signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECT_MS)]),
    });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  // The library reports errors to its caller. This listener only keeps late errors from ending the process.
  socket.on('error', () => undefined);
  return socket;
}

function optionsFor({ credentials, host, isTls, port, requiresTls }: SmtpSettings, socket: Socket) {
  return {
    host,
    port,
    secure: isTls,
    requireTLS: requiresTls && !isTls,
    ...(credentials !== undefined && {
      auth: { user: credentials.user, pass: credentials.password },
    }),
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_: unknown, pass: (error: null, found: { connection: Socket }) => void) =>
      pass(null, { connection: socket }),
  };
}

/** The commands whose rejection concerns the e-mail and not the connection or the credentials. */
const ofEmail: ReadonlySet<unknown> = new Set(['EENVELOPE', 'EMESSAGE']);

function toFailure(
  error: unknown,
  signal: AbortSignal,
  hidden: readonly (string | undefined)[],
): SendFailure {
  const { code, responseCode } = Object(error);
  const isOfEmail = ofEmail.has(code);
  const isPermanent = isOfEmail && typeof responseCode === 'number' && responseCode >= 500;
  const message = signal.aborted ? 'The attempt took too long.' : reasonOf(error);
  return new SendFailure(withoutSecrets(message, hidden), {
    isPermanent,
    isOfServer: !isOfEmail,
  });
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An attempt to connect to several addresses fails with one error for each of them, and an empty message.
  const [first] = error instanceof AggregateError ? error.errors : [];
  return first instanceof Error ? first.message : error.message;
}

const MAX_REASON_CHARACTERS = 300;

/** Servers quote addresses and links in their responses, and a link may contain the id of a request. */
function withoutSecrets(text: string, hidden: readonly (string | undefined)[]): string {
  const plain = hidden.reduce<string>(
    (rest, secret) => (secret ? rest.replaceAll(secret, '…') : rest),
    text.replaceAll(/\S*:\/\/\S*/g, '…'),
  );
  return plain.replaceAll(/[0-9a-f]{32,}/gi, '…').slice(0, MAX_REASON_CHARACTERS);
}
