import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, randomHex } from './client.ts';
import { ApiError, isTransient } from './errors.ts';
import type { AnyRecord } from './records.ts';

/**
 * Returns a function that provides the Idempotency-Key of one form. The key stays the same until the input changes, so
 * that saving again after a lost response does not write twice.
 */
export function createFormKey(newKey = () => randomHex(16)): (input: unknown) => string {
  let last: { readonly text: string; readonly key: string } | undefined;
  return (input) => {
    const text = JSON.stringify(input);
    if (last?.text !== text) last = { text, key: newKey() };
    return last.key;
  };
}

export function useFormKey(): (input: unknown) => string {
  return useState(() => createFormKey())[0];
}

/** A write that is in the log. If it is not readable yet, `token` makes reads wait for it. */
type Written =
  | { readonly kind: 'readable'; readonly id: string }
  | { readonly kind: 'unread'; readonly id: string; readonly token: string };

/** Resolves if the write is in the log, even if reads do not see it yet. */
export async function untilWritten(write: Promise<AnyRecord>): Promise<Written> {
  try {
    const { id } = await write;
    return { kind: 'readable', id };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'write.unread') throw error;
    const { recordId } = Object(error.body);
    return { kind: 'unread', id: String(recordId), token: error.consistencyToken };
  }
}

/** A record with a change that reads do not see yet. */
interface UnreadRecord {
  readonly entity: string;
  readonly id: string;
  readonly name: string;
  readonly token: string;
  readonly isDeletion?: true;
}

const unreadQuery = queryOptions({
  queryKey: ['unread'],
  queryFn: (): readonly UnreadRecord[] => [],
  initialData: [],
  enabled: false,
  gcTime: Number.POSITIVE_INFINITY,
});

/** Returns the records of this page whose changes reads do not see yet. */
export function useUnreadRecords(): readonly UnreadRecord[] {
  return useQuery(unreadQuery).data;
}

/** Returns a function that marks a record as unread until reads see its change. */
export function useMarkUnread(): (record: UnreadRecord) => Promise<void> {
  const queries = useQueryClient();
  return (record) => markUnread(queries, record);
}

/** `read` and `pause` are replaced in tests. */
export async function markUnread(
  queries: QueryClient,
  record: UnreadRecord,
  { read = readUnread, pause = pauseBriefly } = {},
): Promise<void> {
  const change = (changed: (before: readonly UnreadRecord[]) => readonly UnreadRecord[]) =>
    queries.setQueryData(unreadQuery.queryKey, (before = []) => changed(before));
  queries.setQueryDefaults(unreadQuery.queryKey, { gcTime: Number.POSITIVE_INFINITY });
  change((before) => [...before, record]);
  await untilReadable(() => read(record), pause);
  change((before) => before.filter((one) => one !== record));
  await queries.invalidateQueries({ queryKey: ['records'] });
}

/** Resolves after any definite response: the record, or an error because it is deleted or inaccessible. */
async function untilReadable(
  read: () => Promise<unknown>,
  pause: () => Promise<void>,
): Promise<void> {
  for (;;) {
    try {
      await read();
      return;
    } catch (error) {
      if (!isTransient(error)) return;
      await pause();
    }
  }
}

async function readUnread({ entity, id, token }: UnreadRecord): Promise<unknown> {
  const header = { 'X-Consistency-Token': token };
  return api.GET('/{entity}/{id}', { params: { path: { entity, id }, header } });
}

const PAUSE_MS = 1_000;

async function pauseBriefly(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
