import type { FastifyInstance } from 'fastify';
import { requireWebhookScope } from '../../../shared/domain/directory/require-webhook.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ofWebhook, withBody } from '../../../shared/http/describe/error-lists.ts';
import {
  count,
  flag,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { CommandContext } from '../context.ts';
import { type Redelivery, redeliver, sendSample } from './webhook-deliveries.ts';

type Params = { readonly id: string };

/** Routes that send a sample, redeliver batches, and validate a URL before a webhook is registered. */
export function registerWebhookRoutes(server: FastifyInstance, context: CommandContext): void {
  const { authenticate, deliveries, validateUrl } = context;

  server.post<{ Params: Params }>('/api/v1/Webhook/:id/test', sampling, async (request) => {
    const actor = await authenticate(request);
    return sendSample(deliveries, { actor, id: request.params.id });
  });

  server.post('/api/v1/Webhook/action/validateUrl', validation, async (request) => {
    requireWebhookScope(await authenticate(request));
    const { url } = requireObject(request.body);
    if (typeof url === 'string') return validateUrl(url);
    throw new Refusal('invalid', 'body.value_missing', "'url' must be a text.");
  });

  server.post<{ Params: Params }>('/api/v1/Webhook/:id/redeliver', redelivery, async (request) => {
    const actor = await authenticate(request);
    const what = readRedelivery(requireObject(request.body));
    const { id } = request.params;
    const { count, last } = await redeliver(deliveries, { actor, id }, what);
    return { count, more: last !== undefined, next: last === undefined ? null : toCursor(last) };
  });
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
      'Give exactly one of batchId, since and deadLetters: true. The last two can be combined with after.',
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
  summary: 'Send a signed sample now',
  parameters: ['id'],
  answer: objectOf({ deliveryId: text }),
  errors: ofWebhook,
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
