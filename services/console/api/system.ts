import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { paths } from './schema.d.ts';

type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;

export type Status = AnswerOf<'/System/status'>;
type Findings = AnswerOf<'/System/doctor'>;
export type Finding = Findings['findings'][number];
export type RejectedEntry = AnswerOf<'/System/rejectedEntries'>['list'][number];

export interface Change {
  readonly attribute: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** An event of a record as the live stream tells it. */
export interface LiveEvent {
  /** `{topic}/{partition}/{offset}`. */
  readonly place: string;
  readonly at: string;
  readonly entityType: string;
  readonly id: string;
  readonly version: number;
  readonly type: EventType;
  readonly byId: string;
  readonly byName: string | null;
  /** The administrator who acted as this user. */
  readonly administratorId?: string;
  readonly administratorName?: string | null;
  readonly changes: readonly Change[];
}

export const eventTypes = ['created', 'updated', 'deleted'] as const;
export type EventType = (typeof eventTypes)[number];

const root = ['system'] as const;
const lookAgainMs = 5_000;
/** Looking takes the server some seconds. */
const examineAgainMs = 30_000;

/** While a part of Annals is away as well, so that the page comes back with it. */
export const statusQuery = queryOptions({
  queryKey: [...root, 'status'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/status', { signal })),
  refetchInterval: lookAgainMs,
});

export const findingsQuery = queryOptions({
  queryKey: [...root, 'findings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/doctor', { signal })),
  refetchInterval: examineAgainMs,
});

export const rejectedQuery = queryOptions({
  queryKey: [...root, 'rejected'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/rejectedEntries', { signal })),
  refetchInterval: examineAgainMs,
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

/** Whether the tables now store the record that the entry quarantines, or why they still refuse it. */
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

/** Which events of the live stream are wanted. */
export interface EventFilter {
  readonly entityType: string | undefined;
  readonly id: string | undefined;
  readonly userId: string | undefined;
  readonly type: EventType | undefined;
}

export function openEvents(filter: Partial<EventFilter>): EventSource {
  const wanted = new URLSearchParams();
  for (const [name, value] of Object.entries(filter)) {
    if (value !== undefined) wanted.set(name, value);
  }
  return new EventSource(`/api/v1/System/events?${wanted}`);
}

export const seriesRanges = ['1h', '24h', '7d', '30d'] as const;
export type SeriesRange = (typeof seriesRanges)[number];
export type Series = AnswerOf<'/System/series'>;

export function seriesQuery(range: SeriesRange) {
  return queryOptions({
    queryKey: [...root, 'series', range],
    queryFn: ({ signal }) =>
      bodyOf(api.GET('/System/series', { params: { query: { range } }, signal })),
    refetchInterval: examineAgainMs,
    // While another range is fetched, the page keeps its height.
    placeholderData: keepPreviousData,
  });
}

export type RunningProcess = AnswerOf<'/System/settings'>['processes'][number];
export type Setting = NonNullable<RunningProcess['told']>['settings'][number];

export const settingsQuery = queryOptions({
  queryKey: [...root, 'settings'],
  queryFn: ({ signal }) => bodyOf(api.GET('/System/settings', { signal })),
  refetchInterval: examineAgainMs,
});

export type AuditEntry = AnswerOf<'/System/audit'>['list'][number];
export const auditKinds = ['signIn', 'user', 'role', 'team', 'definition', 'webhook'] as const;

/** Which entries of the audit are wanted. */
export interface AuditFilter {
  readonly kind: (typeof auditKinds)[number] | undefined;
  /** An id or a user name. */
  readonly user: string | undefined;
  /** Days in UTC, the last one not included. */
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Page by page, the newest first. */
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

/** When API users last used their keys, by their ids. */
export const keyUsesQuery = queryOptions({
  queryKey: [...root, 'keyUses'],
  queryFn: async ({ signal }) => {
    const { list } = await bodyOf(api.GET('/System/apiKeys', { signal }));
    return new Map(list.map(({ userId, lastUsedAt }) => [userId, lastUsedAt]));
  },
});
