import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type DeliveryState,
  deliveryStates,
  findDelivery,
  listAttempts,
  listDeliveries,
  listSentDeliveries,
  type SentDelivery,
} from '../../../shared/db/webhook-store.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { requireWebhook, seesHidden } from '../../../shared/domain/directory/require-webhook.ts';
import { Refusal, UnreadableMessage } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { eventsForReader } from '../../../shared/events/events-for-receiver.ts';
import {
  type AttemptOutcome,
  attemptOutcomes,
  type WebhookAttempt,
} from '../../../shared/events/webhook-attempt-codec.ts';
import type { WebhookBatch, WebhookEvent } from '../../../shared/events/webhook-batch-codec.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ofWebhook, searched } from '../../../shared/http/describe/error-lists.ts';
import type { ParameterName } from '../../../shared/http/describe/parameters.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { count, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { refuseUnknownParameters } from '../../../shared/http/refuse-unknown-parameters.ts';
import type { QueryContext } from '../context.ts';
import { readPage } from '../request/read-page.ts';
import { last, readOneOf, readParameters } from '../request/read-parameters.ts';
import type { IdRoute } from '../request/read-reader.ts';
import { uncounted } from '../rows/page.ts';

type DeliveryRoute = IdRoute & { readonly Params: { readonly deliveryId: string } };

/** Registers the routes for a webhook's deliveries and attempts, for the webhook's user and administrators. */
export function registerDeliveryRoutes(server: FastifyInstance, context: QueryContext): void {
  const { directory, primary } = context;
  const { pool, searchPool } = primary;

  async function requireReader(request: FastifyRequest<IdRoute>) {
    const actor = await readActor(context, request);
    const webhook = requireWebhook(directory, actor, request.params.id);
    const findReadable = createFindReadable(directory, actor, webhook);
    return { actor, webhook, findReadable, isFull: seesHidden(actor, webhook) };
  }

  server.get<IdRoute>('/api/v1/Webhook/:id/deliveries', readDeliveries, async (request) => {
    const { actor, findReadable, isFull } = await requireReader(request);
    const filter = readFilter<DeliveryState>(request, deliveryStates);
    const db = searchPool.of(actor);
    if (isFull) return uncounted(await listDeliveries(db, filter), filter.limit - 1);
    const { total, list } = uncounted(await listSentDeliveries(db, filter), filter.limit - 1);
    const shown = list.map((delivery) => withoutHidden(delivery, findReadable));
    return { total, list: shown.filter(({ events }) => events > 0) };
  });

  server.get<DeliveryRoute>(
    '/api/v1/Webhook/:id/deliveries/:deliveryId',
    readDelivery,
    async (request) => {
      const { webhook, findReadable, isFull } = await requireReader(request);
      const { deliveryId: id } = request.params;
      const found = await findDelivery(pool, { webhookId: webhook.id, id });
      if (found === undefined) throw deliveryNotFound();
      const { batch, sent, delivery } = found;
      const events = findReadable(batch);
      const body = events === undefined ? null : showWebhookBody({ ...batch, events });
      if (isFull) return { ...delivery, body };
      const counted = { ...delivery, ...(sent === null ? { batch } : { events: sent }) };
      const shown = withoutHidden(counted, findReadable);
      if (shown.events === 0) throw deliveryNotFound();
      return { ...shown, body };
    },
  );

  server.get<IdRoute>('/api/v1/Webhook/:id/attempts', readAttempts, async (request) => {
    const { actor, isFull } = await requireReader(request);
    const filter = readFilter<AttemptOutcome>(request, attemptOutcomes);
    const batchId = last(readParameters(request.query), 'deliveryId');
    const wanted = { ...filter, batchId, onlyRequests: !isFull };
    const attempts = await listAttempts(searchPool.of(actor), wanted);
    const page = uncounted(attempts, filter.limit - 1);
    return { ...page, list: page.list.map(toAttemptBody) };
  });
}

function deliveryNotFound(): Refusal {
  return new Refusal('not_found', 'webhook.delivery_not_found', 'Delivery not found.');
}

/** Returns a filter whose limit is one row more than the page size. The extra row shows whether more rows follow. */
function readFilter<State extends string>(
  request: FastifyRequest<IdRoute>,
  states: readonly State[],
) {
  refuseUnknownParameters(request);
  const { params, query } = request;
  const parameters = readParameters(query);
  const { offset, maxSize } = readPage(parameters);
  const state = readOneOf(parameters, 'state', states);
  const time = (name: string) => {
    const text = last(parameters, name);
    return text === undefined ? undefined : readTime(text, name);
  };
  const [from, to] = [time('from'), time('to')];
  return { webhookId: params.id, offset, limit: maxSize + 1, state, from, to };
}

const tag = 'Webhook';
const delivery = refer('schemas', 'webhookDelivery');
const errors = [...ofWebhook, ...searched, 'list.too_large', 'parameter.unsupported'] as const;

const nullable = (type: string) => ({ type: [type, 'null'] });

const deliveryProperties = {
  id: text,
  state: { enum: deliveryStates },
  enqueuedAt: text,
  events: count,
  hidden: {
    ...count,
    description: 'For administrators and users who may read all records of the type.',
  },
  attempts: count,
  lastAttemptAt: nullableText,
  lastStatus: nullable('integer'),
  lastReason: nullableText,
  replayId: nullableText,
};
const webhookDelivery = objectOf(
  deliveryProperties,
  Object.keys(deliveryProperties).filter((name) => name !== 'hidden'),
);

const readDeliveries = describeRoute({
  id: 'Webhook_deliveries',
  tag,
  summary: 'List the deliveries of a webhook',
  parameters: filters(deliveryStates),
  schemas: { webhookDelivery },
  answer: uncountedPage(delivery),
  errors,
});

const readDelivery = describeRoute({
  id: 'Webhook_delivery',
  tag,
  summary: 'Read a delivery of a webhook with its body',
  parameters: [
    'id',
    { name: 'deliveryId', in: 'path', required: true, schema: text },
    'X-Consistency-Token',
  ],
  answer: { allOf: [delivery, { type: 'object', properties: { body: {} } }] },
  errors: [...ofWebhook, 'webhook.delivery_not_found'],
});

const headers = {
  type: 'array',
  description: 'Pairs of name and value. A name may be repeated.',
  items: { type: 'array', items: text, minItems: 2, maxItems: 2 },
};

const webhookAttempt = objectOf({
  deliveryId: text,
  webhookId: text,
  at: text,
  state: { enum: attemptOutcomes },
  attempt: count,
  status: nullable('integer'),
  reason: nullableText,
  durationMs: count,
  events: count,
  request: { type: ['object', 'null'], properties: { url: text, headers } },
  response: { type: ['object', 'null'], properties: { headers, body: text } },
  connectMs: nullable('number'),
  firstByteMs: nullable('number'),
  address: nullableText,
});

const readAttempts = describeRoute({
  id: 'Webhook_attempts',
  tag,
  summary: 'List the delivery attempts of a webhook',
  parameters: [{ name: 'deliveryId', in: 'query', schema: text }, ...filters(attemptOutcomes)],
  schemas: { webhookAttempt },
  answer: uncountedPage(refer('schemas', 'webhookAttempt')),
  errors,
});

function filters(states: readonly string[]): readonly (ParameterName | Part)[] {
  const time = { ...text, examples: ['2030-01-31 10:00:00'] };
  return [
    'id',
    { name: 'state', in: 'query', schema: { ...text, enum: states } },
    { name: 'from', in: 'query', schema: time },
    { name: 'to', in: 'query', schema: time },
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ];
}

/** A page without a counted total: `total` is -1 if more rows follow, -2 if not. */
function uncountedPage(items: Part): Part {
  return objectOf({ total: { type: 'integer', minimum: -2 }, list: { type: 'array', items } });
}

/** Returns an attempt as an API response. Headers are lists of [name, value], because a name may be repeated. */
function toAttemptBody(tried: WebhookAttempt) {
  const { exchange, batchId, webhookId, at, outcome, ...attempt } = tried;
  return {
    deliveryId: batchId,
    webhookId,
    at: new Date(at).toISOString().slice(0, 23).replace('T', ' '),
    state: outcome,
    ...attempt,
    request: exchange && { url: exchange.url, headers: toPairs(exchange.requestHeaders) },
    response: exchange && {
      headers: toPairs(exchange.responseHeaders),
      body: exchange.responseBody.toString('utf8'),
    },
    connectMs: exchange?.connectMs ?? null,
    firstByteMs: exchange?.firstByteMs ?? null,
    address: exchange?.address ?? null,
  };
}

function toPairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [],
  );
}

type Counted = SentDelivery & { readonly hidden?: number };
type FindReadable = (batch: WebhookBatch) => readonly WebhookEvent[] | undefined;

/** Returns a delivery without its number of hidden events. `batch` is set if no request was made. */
function withoutHidden({ hidden: _, batch, ...shown }: Counted, findReadable: FindReadable) {
  if (batch === undefined) return shown;
  return { ...shown, events: findReadable(batch)?.length ?? 0 };
}

/**
 * Returns a function that returns the events that the reader may read today, or undefined if they cannot be determined.
 */
function createFindReadable(
  directory: Directory,
  actor: Actor,
  webhook: RecordState,
): FindReadable {
  const { entityType, type, field } = toWebhook(webhook);
  const model = directory.entity(entityType);
  return ({ events }) => {
    if (model === undefined) return undefined;
    try {
      return eventsForReader(events, { actor, model, type, field }, directory);
    } catch (error) {
      if (error instanceof UnreadableMessage) return undefined;
      throw error;
    }
  };
}
