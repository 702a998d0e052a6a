import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { Condition, ListSearch } from './records.ts';

/** Records by their ids, or all that a search finds. */
export type Chosen =
  | { readonly ids: readonly string[] }
  | {
      readonly searchParams: { readonly where: readonly Condition[]; readonly textFilter?: string };
    };

/** All that a list shows. */
export function everythingIn({ where, textFilter }: ListSearch): Chosen {
  return { searchParams: { where, ...(textFilter === '' ? {} : { textFilter }) } };
}

type Values = Readonly<Record<string, unknown>>;

/** Nobody waits for its end; answers its id. */
export async function startMassAction(asked: {
  readonly entity: string;
  readonly action: 'delete' | 'update';
  readonly chosen: Chosen;
  readonly values?: Values;
}): Promise<string> {
  const { entity: entityType, action, chosen, values } = asked;
  const data = values === undefined ? {} : { data: { values } };
  const body = { entityType, action, params: chosen, idle: true, ...data };
  const { id } = await bodyOf(api.POST('/MassAction', { body: body as never }));
  return String(id);
}

async function readStatus(id: string, signal: AbortSignal) {
  return bodyOf(api.GET('/MassAction/{id}/status', { params: { path: { id } }, signal }));
}

export type MassActionStatus = Awaited<ReturnType<typeof readStatus>>;

const askEveryMs = 1_000;

/** How far it is, until it has ended. */
export function massActionQuery(id: string) {
  return queryOptions({
    queryKey: ['mass-action', id],
    queryFn: async ({ signal }) => readStatus(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'Running' ? askEveryMs : false),
  });
}

/** Answers when nothing more of it is done. */
export async function cancelMassAction(id: string): Promise<void> {
  await api.POST('/MassAction/{id}/cancel', { params: { path: { id } } });
}

/** Answers the id of the file. */
export async function exportRecords(search: ListSearch, chosen: Chosen): Promise<string> {
  const { entity: entityType, select, orderBy, order } = search;
  const sorted =
    'ids' in chosen ? chosen : { searchParams: { ...chosen.searchParams, orderBy, order } };
  const body = { entityType, format: 'csv', attributeList: select, ...sorted };
  const { id } = await bodyOf(api.POST('/Export', { body: body as never }));
  return String(id);
}
