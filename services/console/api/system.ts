import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from './client.ts';

export type Status = ResponseOf<'/System/status'>;
type Findings = ResponseOf<'/System/doctor'>;
export type Finding = Findings['findings'][number];
export type FindingLink = NonNullable<Finding['links']>[number];
export type FindingRemedy = NonNullable<Finding['remedies']>[number];
export type RejectedEntry = ResponseOf<'/System/rejectedEntries'>['list'][number];

export interface Change {
  readonly attribute: string;
  readonly before: unknown;
  readonly after: unknown;
}

type PastEvent = ResponseOf<'/System/pastEvents'>['list'][number];

/** A change of a record in the log. */
export type LoggedChange = Omit<PastEvent, 'requestId'> & {
  /** `{topic}/{partition}/{offset}`; only in the live stream. */
  readonly place?: string;
  /** Only of past events. */
  readonly requestId?: PastEvent['requestId'];
};

export const eventTypes = ['created', 'updated', 'deleted'] as const;
export type EventType = (typeof eventTypes)[number];

const root = ['system'] as const;
const pollEveryMs = 5_000;
/** Refresh interval of the findings, which take the server several seconds to compute. */
const refreshEveryMs = 30_000;
const healthEveryMs = 60_000;

/** Keeps polling while a part of Annals is unavailable, so that the page recovers automatically. */
export const statusQuery = queryOptions({
  queryKey: [...root, 'status'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/status', { signal })),
  refetchInterval: pollEveryMs,
});

export const findingsQuery = queryOptions({
  queryKey: [...root, 'findings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/doctor', { signal })),
  refetchInterval: refreshEveryMs,
});

/** Loads the findings of a quick check, for the header of every page. */
export const healthQuery = queryOptions({
  queryKey: [...root, 'health'],
  queryFn: ({ signal }) =>
    bodyOf(api.GET('/System/doctor', { params: { query: { depth: 'quick' } }, signal })),
  // React Query sends no request while the tab is hidden.
  refetchInterval: healthEveryMs,
  staleTime: healthEveryMs,
});

export const rejectedQuery = queryOptions({
  queryKey: [...root, 'rejected'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/rejectedEntries', { signal })),
  refetchInterval: refreshEveryMs,
});

/** `id` is `{topic}/{partition}/{offset}`. */
export function rejectedEntryQuery(id: string) {
  return queryOptions({
    queryKey: [...root, 'rejected', id],
    queryFn: ({ signal }) =>
      bodyOf(
        api.GET('/System/rejectedEntries/{topic}/{partition}/{offset}', {
          params: { path: placeOf(id) },
          signal,
        }),
      ),
  });
}

/** Retries the quarantined record of an entry. Returns why the tables still reject it, if they do. */
export async function retryRejected(id: string) {
  const params = { path: placeOf(id) };
  return bodyOf(api.POST('/System/rejectedEntries/{topic}/{partition}/{offset}/retry', { params }));
}

export async function discardRejected(id: string): Promise<void> {
  const params = { path: placeOf(id) };
  await api.POST('/System/rejectedEntries/{topic}/{partition}/{offset}/discard', { params });
}

function placeOf(id: string) {
  const [topic = '', partition = '', offset = ''] = id.split('/');
  return { topic, partition, offset };
}

/** Filter of the live stream. */
export interface EventFilter {
  readonly entityType: string | undefined;
  readonly id: string | undefined;
  readonly userId: string | undefined;
  readonly type: EventType | undefined;
}

export function openEvents(filter: Partial<EventFilter>): EventSource {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) params.set(name, value);
  }
  return new EventSource(`/api/v1/System/events?${params}`);
}

export const seriesRanges = ['1h', '24h', '7d', '30d'] as const;
export type SeriesRange = (typeof seriesRanges)[number];
export type Series = ResponseOf<'/System/series'>;

export function seriesQuery(range: SeriesRange) {
  return queryOptions({
    queryKey: [...root, 'series', range],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/System/series', { params: { query: { range } }, signal })),
    refetchInterval: refreshEveryMs,
    // Keeps the height of the page while another range is loading.
    placeholderData: keepPreviousData,
  });
}

export type RunningProcess = ResponseOf<'/System/settings'>['processes'][number];
export type Setting = NonNullable<RunningProcess['told']>['settings'][number];

export const settingsQuery = queryOptions({
  queryKey: [...root, 'settings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/settings', { signal })),
  refetchInterval: refreshEveryMs,
});

export type MailQueue = ResponseOf<'/System/mail'>;

export const mailQuery = queryOptions({
  queryKey: [...root, 'mail'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/mail', { signal })),
  refetchInterval: pollEveryMs,
});

/** Sends an e-mail to the signed-in administrator. */
export async function sendTestEmail(): Promise<void> {
  await api.POST('/System/mail/test');
}

export type AuditEntry = ResponseOf<'/System/audit'>['list'][number];
export const auditKinds = [
  'signIn',
  'user',
  'role',
  'team',
  'definition',
  'provider',
  'webhook',
] as const;

export interface AuditFilter {
  readonly kind: (typeof auditKinds)[number] | undefined;
  /** A user id or user name. */
  readonly user: string | undefined;
  /** Days, or times in UTC. `to` is exclusive. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Loads audit entries page by page, newest first. */
export function auditQuery(filter: Partial<AuditFilter>) {
  return infiniteQueryOptions({
    queryKey: [...root, 'audit', filter],
    queryFn: ({ signal, pageParam }) => {
      const query = { ...filter, ...(pageParam === '' ? {} : { after: pageParam }) };
      return bodyOf(api.GET('/System/audit', { params: { query: query as never }, signal }));
    },
    initialPageParam: '',
    getNextPageParam: ({ next }) => next,
  });
}

/** Loads the time at which each API user last used a key, by user id. */
export const keyUsesQuery = queryOptions({
  queryKey: [...root, 'keyUses'],
  queryFn: async ({ signal }) => {
    const { list } = await bodyOf(api.GET('/System/apiKeys', { signal }));
    return new Map(list.map(({ userId, lastUsedAt }) => [userId, lastUsedAt]));
  },
});
