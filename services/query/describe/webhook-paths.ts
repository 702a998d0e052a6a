import { noContent, operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const tag = 'Webhook';
const text = { type: 'string' };
const orNull = (type: string) => ({ type: [type, 'null'] });
const count = { type: 'integer', minimum: 0 };
const time = { ...text, examples: ['2030-01-31 10:00:00'] };
const id = refer('parameters', 'id');
const replayId = { name: 'replayId', in: 'path', required: true, schema: text };
const replay = refer('schemas', 'webhookReplay');

/** Deliveries, attempts and replays of a webhook (docs/reference/webhooks.md#seeing-and-repairing). */
export const webhookPaths: Readonly<Record<string, Part>> = {
  '/Webhook/{id}/deliveries': {
    parameters: [id],
    get: operation({
      id: 'Webhook_deliveries',
      tag,
      summary: 'List what became of the batches of a webhook',
      parameters: filters(['waiting', 'delivered', 'dead', 'dropped']),
      answer: page(refer('schemas', 'webhookDelivery')),
      errors: 'deliveries',
    }),
  },
  '/Webhook/{id}/deliveries/{deliveryId}': {
    parameters: [id, { name: 'deliveryId', in: 'path', required: true, schema: text }],
    get: operation({
      id: 'Webhook_delivery',
      tag,
      summary: 'Read a batch of a webhook with its body',
      parameters: ['X-Consistency-Token'],
      answer: {
        allOf: [refer('schemas', 'webhookDelivery'), { type: 'object', properties: { body: {} } }],
      },
      errors: 'delivery',
    }),
  },
  '/Webhook/{id}/attempts': {
    parameters: [id],
    get: operation({
      id: 'Webhook_attempts',
      tag,
      summary: 'List the requests to the receiver of a webhook',
      parameters: [
        { name: 'deliveryId', in: 'query', schema: text },
        ...filters(['delivered', 'retry', 'dead', 'dropped']),
      ],
      answer: page(refer('schemas', 'webhookAttempt')),
      errors: 'deliveries',
    }),
  },
  '/Webhook/{id}/test': {
    parameters: [id],
    post: operation({
      id: 'Webhook_test',
      tag,
      summary: 'Send a signed sample now',
      answer: object({ deliveryId: text }),
      errors: 'webhook',
    }),
  },
  '/Webhook/{id}/redeliver': {
    parameters: [id],
    post: operation({
      id: 'Webhook_redeliver',
      tag,
      summary: 'Send batches again',
      body: {
        type: 'object',
        description:
          'Exactly one of `batchId`, `since` and `deadLetters`; beside the last two `after`, the `next` of the answer before.',
        properties: { batchId: text, since: time, deadLetters: { const: true }, after: text },
      },
      answer: object({ count, more: { type: 'boolean' }, next: orNull('string') }),
      errors: 'redeliver',
    }),
  },
  '/Webhook/{id}/rotateSecret': {
    parameters: [id],
    post: operation({
      id: 'Webhook_rotateSecret',
      tag,
      summary: 'Give a webhook a new secret',
      description: 'For 24 hours the old one signs too.',
      parameters: ['If-Match', 'Idempotency-Key', 'Prefer'],
      answer: refer('schemas', 'Webhook'),
      headers: ['ETag', 'Idempotency-Replayed', 'Preference-Applied', 'X-Consistency-Token'],
      errors: 'updateWebhook',
      more: noContent,
    }),
  },
  '/Webhook/{id}/replay': {
    parameters: [id],
    post: operation({
      id: 'Webhook_replay',
      tag,
      summary: 'Send the events of a past time through a webhook',
      description: 'A dry run counts them and shows samples.',
      body: {
        type: 'object',
        required: ['from', 'to'],
        properties: { from: time, to: time, dryRun: { type: 'boolean' } },
      },
      answer: replay,
      headers: ['X-Consistency-Token'],
      errors: 'startReplay',
    }),
  },
  '/Webhook/{id}/replays': {
    parameters: [id],
    get: operation({
      id: 'Webhook_replays',
      tag,
      summary: 'List the replays of a webhook',
      parameters: ['X-Consistency-Token'],
      answer: page(replay),
      errors: 'webhook',
    }),
  },
  '/Webhook/{id}/replays/{replayId}': {
    parameters: [id, replayId],
    get: operation({
      id: 'Webhook_readReplay',
      tag,
      summary: 'Read how far a replay is',
      parameters: ['X-Consistency-Token'],
      answer: replay,
      errors: 'replay',
    }),
    delete: operation({
      id: 'Webhook_cancelReplay',
      tag,
      summary: 'Cancel a replay',
      answer: { const: true },
      headers: ['X-Consistency-Token'],
      errors: 'replay',
    }),
  },
  '/Webhook/{id}/replays/{replayId}/resume': {
    parameters: [id, replayId],
    post: operation({
      id: 'Webhook_resumeReplay',
      tag,
      summary: 'Go on with a replay that was cancelled or is stopped',
      description: 'Where it stood: nothing is missing, and nothing comes twice.',
      answer: replay,
      headers: ['X-Consistency-Token'],
      errors: 'replay',
    }),
  },
};

function filters(states: readonly string[]) {
  const timed = (name: string) => ({ name, in: 'query', schema: time });
  return [
    { name: 'state', in: 'query', schema: { ...text, enum: states } },
    timed('from'),
    timed('to'),
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ] as const;
}

/** Without a count: `total` is -1 if more follows, -2 if not. */
function page(items: Part): Part {
  return object({ total: { type: 'integer', minimum: -2 }, list: { type: 'array', items } });
}

function object(properties: Part): Part {
  return { type: 'object', required: Object.keys(properties), properties };
}

const headers = {
  type: 'array',
  description: 'Names and values: a name may come twice.',
  items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
};

export const webhookSchemas: Readonly<Record<string, Part>> = {
  webhookDelivery: object({
    id: text,
    state: { enum: ['waiting', 'delivered', 'dead', 'dropped'] },
    enqueuedAt: text,
    events: count,
    attempts: count,
    lastAttemptAt: orNull('string'),
    lastStatus: orNull('integer'),
    lastReason: orNull('string'),
    replayId: orNull('string'),
  }),
  webhookAttempt: object({
    deliveryId: text,
    webhookId: text,
    at: text,
    state: { enum: ['delivered', 'retry', 'dead', 'dropped'] },
    attempt: count,
    status: orNull('integer'),
    reason: orNull('string'),
    durationMs: count,
    events: count,
    request: {
      type: ['object', 'null'],
      properties: { url: text, headers },
    },
    response: {
      type: ['object', 'null'],
      properties: { headers, body: text },
    },
    connectMs: orNull('number'),
    firstByteMs: orNull('number'),
    address: orNull('string'),
  }),
  webhookReplay: {
    ...object({
      id: text,
      webhookId: text,
      from: text,
      to: text,
      dryRun: { type: 'boolean' },
      state: { enum: ['running', 'done', 'cancelled', 'stopped'] },
      events: count,
      batches: count,
      read: count,
      total: count,
    }),
    description:
      '`read` and `total` count entries of the log. A dry run has `samples`, one that is stopped an error code as `reason`.',
  },
};
