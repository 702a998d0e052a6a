import type { FastifyInstance } from 'fastify';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import { requireWebhookScope } from '../../../shared/domain/directory/require-webhook.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { payloadFormats } from '../../../shared/domain/webhook/format/payload-formats.ts';
import { describeRoute, noContent } from '../../../shared/http/describe/describe-route.ts';
import {
  changed,
  ofWebhook,
  ofWebhooks,
  searched,
  withBody,
  written,
} from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { inQuery, refer } from '../../../shared/http/describe/part.ts';
import {
  anything,
  count,
  flag,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { requireObject, textIn } from '../../../shared/http/require-object.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { answerRecord, sendWritten } from '../http/send-written.ts';
import { unknownAction } from '../records/route-parts.ts';
import { showEventExample } from './event-example.ts';
import { rotateSecretCommand, runQueueCommand } from './webhook-commands.ts';
import { type Redelivery, redeliver, sendTest } from './webhook-deliveries.ts';

type Params = { readonly id: string };

/** Registers the routes for webhooks, except the routes for all records and for replays. */
export function registerWebhookRoutes(server: FastifyInstance, context: CommandContext): void {
  registerCommands(server, context);
  const { authenticate, validateUrl } = context;

  server.post<{ Params: Params }>('/api/v1/Webhook/:id/test', sampling, async (request) => {
    const actor = await authenticate(request);
    const isLatest = readFlag(toObject(request.body), 'latest');
    return sendTest(context, { actor, id: request.params.id }, { isLatest });
  });

  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/Webhook/action/eventExample',
    eventExample,
    async (request) => {
      const actor = await authenticate(request);
      const text = (name: string) => textIn(request.query, name) || undefined;
      const event = text('event');
      if (event === undefined) {
        const message = "'event' is missing. Name an event such as Account.update.";
        throw new Refusal('invalid', 'parameter.invalid', message);
      }
      const wanted = { event, userId: text('userId'), payloadFormat: text('payloadFormat') };
      return showEventExample(context, actor, wanted);
    },
  );

  server.post('/api/v1/Webhook/action/validateUrl', validation, async (request) => {
    requireWebhookScope(await authenticate(request));
    const { url } = requireObject(request.body);
    if (typeof url === 'string') return validateUrl(url);
    throw new Refusal('invalid', 'body.value_missing', "'url' must be a string.");
  });

  server.post<{ Params: Params }>('/api/v1/Webhook/:id/redeliver', redelivery, async (request) => {
    const actor = await authenticate(request);
    const what = readRedelivery(requireObject(request.body));
    const { id } = request.params;
    const { count, last } = await redeliver(context, { actor, id }, what);
    return { count, more: last !== undefined, next: last === undefined ? null : toCursor(last) };
  });
}

/** Registers the routes that rotate a webhook's secret and run the scheduled job. */
function registerCommands(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: Params }>(
    '/api/v1/Webhook/:id/rotateSecret',
    rotateSecret,
    async (request, reply) => {
      const { id } = request.params;
      const asked = { command: rotateSecretCommand, body: request.body ?? {}, id };
      const command = await readCommand(context, request, { ...asked, entity: 'Webhook' });
      const answer = await context.sender.send(rotateSecretCommand, command);
      return answerRecord(context, reply, { request, command, answer });
    },
  );

  server.post<{ Params: { readonly entity: string; readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    processQueue,
    async (request, reply) => {
      const { action, entity } = request.params;
      const asked = { command: runQueueCommand, body: {}, entity };
      const command = await readCommand(context, request, asked);
      if (command.model.name !== 'Webhook' || action !== 'processQueue') {
        throw unknownAction(command.model, action);
      }
      const answer = await context.sender.send(runQueueCommand, {
        ...command,
        untilReadable: false,
      });
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );
}

function readFlag(body: Readonly<Record<string, unknown>>, name: string): boolean {
  const { [name]: value = false } = body;
  if (typeof value === 'boolean') return value;
  throw new Refusal('invalid', 'body.value_missing', `'${name}' must be true or false.`);
}

function readRedelivery(body: Readonly<Record<string, unknown>>): Redelivery {
  const { batchId, since, deadLetters, after } = body;
  const given = [batchId, since, deadLetters].filter((one) => one !== undefined);
  const isValid =
    given.length === 1 &&
    (batchId === undefined || (typeof batchId === 'string' && isPossibleId(batchId))) &&
    (deadLetters === undefined || deadLetters === true) &&
    (after === undefined || (batchId === undefined && typeof after === 'string'));
  if (!isValid) {
    throw new Refusal(
      'invalid',
      'webhook.redelivery_invalid',
      "Set exactly one of 'batchId', 'since' and 'deadLetters'. 'since' and 'deadLetters' can be combined with 'after'.",
    );
  }
  if (typeof batchId === 'string') return { batchId };
  const selection =
    since === undefined ? { deadLetters: true } : { since: readTime(since, 'since') };
  return typeof after === 'string' ? { ...selection, after: readCursor(after) } : selection;
}

type Place = NonNullable<Redelivery['after']>;

function toCursor({ enqueuedAt, batchId }: Place): string {
  return `${enqueuedAt}.${batchId}`;
}

function readCursor(text: string): Place {
  const [, enqueuedAt, batchId = ''] = /^(\d{1,13})\.(.*)$/.exec(text) ?? [];
  if (enqueuedAt !== undefined && isPossibleId(batchId)) {
    return { enqueuedAt: Number(enqueuedAt), batchId };
  }
  throw new Refusal(
    'invalid',
    'webhook.redelivery_invalid',
    "'after' must be the 'next' of a previous response.",
  );
}

function isPossibleId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,100}$/.test(text);
}

const sampling = describeRoute({
  id: 'Webhook_test',
  tag: 'Webhook',
  summary: 'Send a signed test now',
  description:
    'A sample or, with `latest`, the latest event that the webhook would send. The `webhook-id` of the request begins with `test_`.',
  parameters: ['id'],
  body: { type: 'object', properties: { latest: flag } },
  isBodyOptional: true,
  answer: objectOf({ deliveryId: text }),
  errors: [
    ...ofWebhook,
    ...withBody,
    ...searched,
    'body.value_missing',
    'storage.low',
    'webhook.no_past_event',
  ],
});

const eventExample = describeRoute({
  id: 'Webhook_eventExample',
  tag: 'Webhook',
  summary: 'Show what a webhook with this event sends',
  description:
    'The latest event that the user may read, or else a made-up record. Sends nothing. Administrators can name an API user.',
  parameters: [
    {
      name: 'event',
      in: 'query',
      required: true,
      schema: { ...text, examples: ['Account.update'] },
    },
    inQuery('userId', 'The API user of the webhook.', { schema: text }),
    inQuery('payloadFormat', 'The format of the body; `records` by default.', {
      schema: { enum: payloadFormats.map(({ name }) => name) },
    }),
  ],
  answer: objectOf({
    event: text,
    isSample: { ...flag, description: 'True if the record is made up.' },
    occurredAt: nullableText,
    body: { type: 'array', items: anything },
  }),
  errors: [...ofWebhook, ...ofWebhooks, ...searched, 'record.invalid'],
});

const validation = describeRoute({
  id: 'Webhook_validateUrl',
  tag: 'Webhook',
  summary: 'Validate a URL as the registration of a webhook would',
  description:
    'Creates nothing. With a warning, a webhook can be registered, but nothing can be delivered for now.',
  body: objectOf({ url: text }),
  answer: objectOf({
    problems: { type: 'array', items: objectOf({ field: text, type: text, message: text }) },
    warnings: { type: 'array', items: text },
  }),
  errors: [...withBody, 'body.value_missing', 'webhook.forbidden'],
});

const redelivery = describeRoute({
  id: 'Webhook_redeliver',
  tag: 'Webhook',
  summary: 'Send batches again',
  parameters: ['id'],
  body: {
    type: 'object',
    description:
      'Exactly one of `batchId`, `since` and `deadLetters`. `after`, the `next` of the previous response, can be combined with the last two.',
    properties: {
      batchId: text,
      since: { ...text, examples: ['2030-01-31 10:00:00'] },
      deadLetters: { const: true },
      after: text,
    },
  },
  answer: objectOf({ count, more: flag, next: nullableText }),
  errors: [...ofWebhook, ...withBody, 'webhook.delivery_not_found', 'webhook.redelivery_invalid'],
});

const described = {
  tag: 'Webhook',
  headers: writeHeaders,
  more: noContent,
} as const;

const rotateSecret = describeRoute({
  ...described,
  id: 'Webhook_rotateSecret',
  summary: 'Rotate the secret of a webhook',
  description: 'For 24 hours, requests are signed with the old secret as well.',
  parameters: ['id', 'If-Match', 'Idempotency-Key', 'Prefer'],
  answer: refer('schemas', 'Webhook'),
  errors: [...changed, ...ofWebhooks, 'webhook.event_fixed'],
});

const processQueue = describeRoute({
  ...described,
  id: '{entity}_{action}',
  summary: `Run the scheduled job ${webhookJobName} now`,
  description: 'Sends the queued events of all webhooks. For administrators.',
  parameters: ['Idempotency-Key', 'Prefer'],
  answer: { const: true },
  errors: [...written, 'action.unknown', 'webhook.run_forbidden'],
  expand: {
    isFor: ({ name }) => name === 'Webhook',
    values: { action: ['processQueue'] },
  },
});
