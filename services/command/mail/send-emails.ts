import { userModelOf } from '../../../shared/domain/directory/user-model-of.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type EmailContent,
  type QueuedEmail,
  toQueuedEmail,
} from '../../../shared/domain/mail/queued-email.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { forEachParallel } from '../../../shared/runtime/limit-concurrency.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import type { CommandDefinition } from '../owner/define-command.ts';
import { type EndedAttempt, endAttemptCommand, startAttemptCommand } from './email-commands.ts';
import { SendFailure, type SmtpClient } from './smtp-client.ts';

const CHECK_EVERY_MS = 1_000;
/** The pause after the server was unreachable or rejected the credentials. */
const PAUSE_MS = 15_000;
const PER_ROUND = 50;
const PARALLEL = 4;
const WRITE_TIMEOUT_MS = 30_000;

/**
 * Sends the e-mails in the queue. Only the owner of the directory does this. Each attempt begins with an entry in the
 * log, so two processes never send the same e-mail within the lease of an attempt. If the process dies between the
 * response of the server and the entry that records it, the next owner sends the e-mail again, with the same Message-ID.
 * `close` aborts attempts in progress.
 */
export function keepSendingEmails(
  context: CommandContext,
  client: SmtpClient,
): { close(): Promise<void> } {
  const { clock, directory, directoryWriter, log, metrics } = context;
  const { now } = clock;
  const stopping = new AbortController();
  const counts = { sent: 0, retried: 0, failed: 0 };
  let pausedUntilMs = 0;
  metrics.read('annals_mail_attempts_total', () =>
    Object.entries(counts).map(([outcome, value]) => ({ labels: { outcome }, value })),
  );

  async function send(email: QueuedEmail): Promise<void> {
    if (stopping.signal.aborted || pausedUntilMs > now()) return;
    const attempt = await startAttempt(context, email);
    if (attempt === undefined) return;
    const failure = await tryToSend(email, attempt);
    // The next owner repeats the attempt when the lease ends.
    if (stopping.signal.aborted && failure !== undefined) return;
    if (failure?.isOfServer === true) pausedUntilMs = now() + PAUSE_MS;
    const ended = toEnded(context, attempt.number, failure);
    report(email, failure, await endAttempt(context, email.id, ended));
  }

  function report(
    { id: emailId, kind }: QueuedEmail,
    failure: SendFailure | undefined,
    outcome: keyof typeof counts | undefined,
  ): void {
    if (outcome !== undefined) counts[outcome] += 1;
    if (failure === undefined) log.info({ emailId, kind }, 'e-mail sent');
    else log.warn({ err: failure, emailId, kind, outcome }, 'e-mail not sent');
  }

  async function tryToSend(
    email: QueuedEmail,
    { content }: Attempt,
  ): Promise<SendFailure | undefined> {
    if (email.expiresAtMs <= now()) return unsendable('The e-mail was too old.');
    if (content === undefined) {
      return unsendable('The e-mail was sealed with another ANNALS_SECRET_KEY.');
    }
    try {
      const { id, queuedAtMs } = email;
      await client.send({ ...content, id, queuedAtMs }, stopping.signal);
      return undefined;
    } catch (error) {
      if (error instanceof SendFailure) return error;
      throw error;
    }
  }

  async function round(): Promise<void> {
    if (!directoryWriter.isOwned() || pausedUntilMs > now()) return;
    const due = directory.emails.due(now()).slice(0, PER_ROUND);
    await forEachParallel(due, PARALLEL, send);
  }

  const working = runPeriodically(round, { log, what: 'e-mails', everyMs: CHECK_EVERY_MS });
  return {
    async close() {
      stopping.abort();
      await working.close();
    },
  };
}

interface Attempt {
  /** Counted from 1. */
  readonly number: number;
  /** Undefined if it cannot be opened. */
  readonly content: EmailContent | undefined;
}

/** Records the attempt in the log. Returns undefined if another process has taken the e-mail. */
async function startAttempt(
  context: CommandContext,
  { id, attempts, content }: QueuedEmail,
): Promise<Attempt | undefined> {
  const sealed = content === null ? null : context.openSecret(content);
  const started = await record(context, startAttemptCommand, id, {
    attempts,
    atMs: context.clock.now(),
  });
  if (started?.changed.includes('attempts') !== true) return undefined;
  return { number: attempts + 1, content: readContent(sealed) };
}

function readContent(json: string | null): EmailContent | undefined {
  if (json === null) return undefined;
  const { to, subject, text, html } = toObject(JSON.parse(json) as unknown);
  return {
    to: String(to),
    subject: String(subject),
    text: String(text),
    html: typeof html === 'string' ? html : undefined,
  };
}

function unsendable(reason: string): SendFailure {
  return new SendFailure(reason, { isPermanent: true, isOfServer: false });
}

function toEnded(
  { clock, secrets }: CommandContext,
  attempt: number,
  failure: SendFailure | undefined,
): EndedAttempt {
  const atMs = clock.now();
  if (failure === undefined) return { attempt, atMs, kind: 'sent' };
  const { isPermanent, message } = failure;
  return { attempt, atMs, kind: 'failed', reason: secrets.seal(message), isPermanent };
}

/** Resolves with the outcome; undefined if it no longer matters. */
async function endAttempt(
  context: CommandContext,
  id: string,
  ended: EndedAttempt,
): Promise<'sent' | 'retried' | 'failed' | undefined> {
  const answer = await record(context, endAttemptCommand, id, ended);
  if (answer === undefined) return undefined;
  const { status } = toQueuedEmail(answer.state);
  return status === 'queued' ? 'retried' : status;
}

async function record<Body extends object>(
  { directory, now, sender }: CommandContext,
  command: CommandDefinition<string, Body>,
  id: string,
  body: NoInfer<Body>,
) {
  const model = userModelOf(directory);
  try {
    const deadline = now() + WRITE_TIMEOUT_MS;
    return await sender.send(command, { ...bySystem, isDecided: true, model, id, body, deadline });
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}
