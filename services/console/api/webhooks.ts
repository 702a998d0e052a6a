import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { ApiError } from './errors.ts';
import type { components, paths } from './schema.d.ts';

export type Webhook = components['schemas']['Webhook'];
export type WebhookValues = components['schemas']['Webhook_create'];
export type Delivery = components['schemas']['webhookDelivery'];
export type Attempt = components['schemas']['webhookAttempt'];
export type Replay = components['schemas']['webhookReplay'] & {
  readonly reason?: string | null;
  readonly hidden?: number;
  readonly samples?: readonly unknown[];
};
export type DeliveryState = Delivery['state'];
export type Ledger =
  paths['/System/webhookLedgers/{id}']['get']['responses'][200]['content']['application/json'];

/** Polling interval for running deliveries and replays. */
const pollEveryMs = 3_000;
const maxWebhooks = 200;
const maxCounted = 200;
/** The total of a page if more pages follow. */
const morePages = -1;
const root = ['webhooks'] as const;

export const webhooksQuery = queryOptions({
  queryKey: [...root, 'list'],
  queryFn: async ({ signal }) =>
    (
      await bodyOf(
        api.GET('/Webhook', {
          params: { query: { maxSize: maxWebhooks, orderBy: 'createdAt', order: 'desc' } },
          signal,
        }),
      )
    ).list,
});

export function webhookQuery(id: string) {
  return queryOptions({
    queryKey: [...root, id],
    queryFn: ({ signal }) => bodyOf(api.GET('/Webhook/{id}', { params: { path: { id } }, signal })),
  });
}

export interface DeliverySearch {
  readonly state?: DeliveryState | undefined;
  readonly maxSize: number;
}

/** Loads the newest batches of a webhook. */
export function deliveriesQuery(id: string, search: DeliverySearch) {
  return queryOptions({
    queryKey: [...root, id, 'deliveries', search],
    queryFn: async ({ signal }) => {
      const { state, maxSize } = search;
      const query = { maxSize, ...(state === undefined ? {} : { state }) };
      const params = { path: { id }, query };
      return (await bodyOf(api.GET('/Webhook/{id}/deliveries', { params, signal }))).list;
    },
    refetchInterval: pollEveryMs,
  });
}

/** Loads the newest delivered batch of a webhook, as a list. */
export function lastDeliveredQuery(id: string) {
  return queryOptions({
    ...deliveriesQuery(id, { state: 'delivered', maxSize: 1 }),
    refetchInterval: false,
  });
}

/** Loads the number of failed batches that `redeliverDead` would send again. */
export function deadCountQuery(id: string) {
  return queryOptions({
    queryKey: [...root, id, 'deadCount'],
    queryFn: async ({ signal }) => {
      const query = { state: 'dead', maxSize: maxCounted } as const;
      const params = { path: { id }, query };
      const page = await bodyOf(api.GET('/Webhook/{id}/deliveries', { params, signal }));
      if (page.total !== morePages) return page.list.length;
      const { deadLetters } = await bodyOf(api.GET('/System/status', { signal }));
      return deadLetters.find(({ webhookId }) => webhookId === id)?.batches ?? page.list.length;
    },
    staleTime: 0,
  });
}

/**
 * Loads the ledger of a webhook, for administrators. Never refetched automatically, because the server reads the whole
 * log for it.
 */
export function ledgerQuery(id: string) {
  return queryOptions({
    queryKey: [...root, id, 'ledger'],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/System/webhookLedgers/{id}', { params: { path: { id } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
}

/** Loads a batch. Tries again until it is stored, which is shortly after its first request. */
export function deliveryQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: [...root, id, 'delivery', deliveryId],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/Webhook/{id}/deliveries/{deliveryId}', {
          params: { path: { id, deliveryId } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (isMissing(state.error) ? 1_000 : false),
  });
}

/** True if a delivery is not stored. */
export function isMissing(error: unknown): boolean {
  return error instanceof ApiError && error.status === 404;
}

export function attemptsQuery(id: string, deliveryId: string) {
  return queryOptions({
    queryKey: [...root, id, 'attempts', deliveryId],
    queryFn: async ({ signal }) => {
      const params = { path: { id }, query: { deliveryId, maxSize: 50 } };
      return (await bodyOf(api.GET('/Webhook/{id}/attempts', { params, signal }))).list;
    },
    refetchInterval: pollEveryMs,
  });
}

export function replaysQuery(id: string) {
  return queryOptions({
    queryKey: [...root, id, 'replays'],
    queryFn: async ({ signal }) => {
      const params = { path: { id } };
      const { list } = await bodyOf(api.GET('/Webhook/{id}/replays', { params, signal }));
      return list as readonly Replay[];
    },
    refetchInterval: ({ state }) =>
      state.data?.some((replay) => replay.state === 'running') ? 1_000 : false,
  });
}

/** Validates a URL according to the rules for registering webhooks. */
export function urlVerdictQuery(url: string) {
  return queryOptions({
    queryKey: [...root, 'url', url],
    queryFn: ({ signal }) =>
      bodyOf(api.POST('/Webhook/action/validateUrl', { body: { url }, signal })),
    staleTime: pollEveryMs,
    retry: false,
  });
}

export const createWebhook = async (body: WebhookValues): Promise<Webhook> =>
  bodyOf(api.POST('/Webhook', { body }));

export const changeWebhook = async (id: string, values: Partial<WebhookValues>): Promise<Webhook> =>
  bodyOf(api.PATCH('/Webhook/{id}', { params: { path: { id } }, body: values as never }));

export const removeWebhook = async (id: string): Promise<unknown> =>
  bodyOf(api.DELETE('/Webhook/{id}', { params: { path: { id } } }));

export const rotateSecret = async (id: string): Promise<Webhook> =>
  bodyOf(api.POST('/Webhook/{id}/rotateSecret', { params: { path: { id } } }));

/** Sends a made-up record or the latest event of the webhook. */
export const sendTest = async (
  id: string,
  body: { readonly latest: boolean },
): Promise<{ readonly deliveryId: string }> =>
  bodyOf(api.POST('/Webhook/{id}/test', { params: { path: { id } }, body }));

export interface EventSearch {
  readonly event: string;
  /** The API user whose permissions apply; null for none. */
  readonly userId: string | null;
  readonly payloadFormat: NonNullable<Webhook['payloadFormat']>;
}

/** Loads what a webhook with this event sends: the latest event, or a made-up record. */
export function eventExampleQuery({ event, userId, payloadFormat }: EventSearch) {
  return queryOptions({
    queryKey: [...root, 'example', event, userId, payloadFormat],
    queryFn: ({ signal }) => {
      const query = { event, payloadFormat, ...(userId === null ? {} : { userId }) };
      return bodyOf(api.GET('/Webhook/action/eventExample', { params: { query }, signal }));
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export const runQueue = async (): Promise<unknown> =>
  bodyOf(api.POST('/Webhook/action/processQueue'));

/** Sends a batch again. */
export async function redeliverBatch(id: string, batchId: string): Promise<number> {
  const params = { path: { id } };
  const { count } = await bodyOf(
    api.POST('/Webhook/{id}/redeliver', { params, body: { batchId } as never }),
  );
  return count;
}

/** Sends all failed batches again, in as many requests as the server needs. Returns their number. */
export async function redeliverDead(id: string): Promise<number> {
  const params = { path: { id } };
  let sent = 0;
  let after: string | null = null;
  do {
    const body: object = { deadLetters: true, ...(after === null ? {} : { after }) };
    const { count, next } = await bodyOf(
      api.POST('/Webhook/{id}/redeliver', { params, body: body as never }),
    );
    sent += count;
    after = next ?? null;
  } while (after !== null);
  return sent;
}

export interface ReplayRequest {
  readonly from: string;
  readonly to: string;
  readonly dryRun: boolean;
}

export const startReplay = async (id: string, body: ReplayRequest): Promise<Replay> =>
  bodyOf(api.POST('/Webhook/{id}/replay', { params: { path: { id } }, body }));

export const cancelReplay = async (id: string, replayId: string): Promise<unknown> =>
  bodyOf(api.DELETE('/Webhook/{id}/replays/{replayId}', { params: { path: { id, replayId } } }));

export const resumeReplay = async (id: string, replayId: string): Promise<unknown> =>
  bodyOf(
    api.POST('/Webhook/{id}/replays/{replayId}/resume', { params: { path: { id, replayId } } }),
  );
