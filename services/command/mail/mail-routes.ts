import type { FastifyInstance } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { emailKinds, type QueuedEmail } from '../../../shared/domain/mail/queued-email.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { known } from '../../../shared/http/describe/error-lists.ts';
import {
  count,
  flag,
  id,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { CommandContext } from '../context.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { queueEmail } from './queue-email.ts';

/** The number of e-mails that the response lists, the newest first. */
const MAX_LISTED = 100;

/** Registers the routes for operators of the mail queue (docs/reference/system.md#e-mail). */
export function registerMailRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authentication, config, directory } = context;

  server.get('/api/v1/System/mail', readMail, async (request) => {
    await readOperator(context, request);
    const emails = directory.emails.recent();
    const countOf = (status: QueuedEmail['status']) =>
      emails.filter((email) => email.status === status).length;
    return {
      isOn: config.mail !== undefined,
      queued: countOf('queued'),
      sent: countOf('sent'),
      failed: countOf('failed'),
      list: emails
        .slice(-MAX_LISTED)
        .toReversed()
        .map((email) => toBody(email, context)),
    };
  });

  server.post('/api/v1/System/mail/test', sendTest, async (request, reply) => {
    const { actor, proven } = await authentication.identify(request);
    requireAdministrator(actor);
    const answer = await queueEmail(context, {
      kind: 'test',
      user: proven,
      write: (texts, values) => texts.test(values),
    });
    return sendJson(setWriteHeaders(reply, [answer]), { id: answer.state.id });
  });
}

function toBody(email: QueuedEmail, { directory, openSecret }: CommandContext) {
  const { id: emailId, kind, status, userId, attempts, queuedAtMs, nextAttemptAtMs } = email;
  const { userName } =
    (userId === null ? undefined : directory.record('User', userId))?.values ?? {};
  return {
    id: emailId,
    kind,
    status,
    userId,
    userName: typeof userName === 'string' ? userName : null,
    attempts,
    queuedAt: formatDateTime(queuedAtMs),
    nextAttemptAt: status === 'queued' ? formatDateTime(nextAttemptAtMs) : null,
    lastError: email.lastError === null ? null : openSecret(email.lastError),
  };
}

const readMail = describeSystemRoute({
  id: 'System_mail',
  summary: 'List the e-mails of the last day',
  description:
    'For administrators. Without recipients, subjects and texts: `userId` names the user to whom the e-mail is addressed. At most 100, the newest first.',
  answer: objectOf({
    isOn: { ...flag, description: 'False if the installation sends no e-mail.' },
    queued: count,
    sent: count,
    failed: count,
    list: {
      type: 'array',
      items: objectOf({
        id,
        kind: { enum: emailKinds },
        status: { enum: ['queued', 'sent', 'failed'] },
        userId: { ...nullableText, description: 'Null for a visitor of a form.' },
        userName: nullableText,
        attempts: count,
        queuedAt: text,
        nextAttemptAt: nullableText,
        lastError: { ...nullableText, description: 'The reason of the last failure.' },
      }),
    },
  }),
});

const sendTest = describeRoute({
  id: 'System_mail_test',
  tag: 'System',
  summary: 'Send yourself a test e-mail',
  description: 'For administrators. The response has the id of the e-mail in the queue.',
  answer: objectOf({ id }),
  headers: ['X-Consistency-Token'],
  errors: [...known, 'access.admin_only', 'mail.limited', 'mail.no_address', 'mail.off'],
});
