import { queryOptions } from '@tanstack/react-query';
import type { Language } from '../language/language.tsx';
import { api, bodyOf } from './client.ts';
import type { Condition, ListSearch } from './records.ts';

/** Records with certain ids, or all results of a search. */
export type Chosen =
  | { readonly ids: readonly string[] }
  | {
      readonly searchParams: { readonly where: readonly Condition[]; readonly textFilter?: string };
    };

/** Selects all results of a list. */
export function allResultsOf({ where, textFilter }: ListSearch): Chosen {
  return { searchParams: { where, ...(textFilter === '' ? {} : { textFilter }) } };
}

type Values = Readonly<Record<string, unknown>>;

/** Starts a mass action that runs in the background, and returns its id. */
export async function startMassAction(options: {
  readonly entity: string;
  readonly action: 'delete' | 'update';
  readonly chosen: Chosen;
  readonly values?: Values;
}): Promise<string> {
  const { entity: entityType, action, chosen, values } = options;
  const data = values === undefined ? {} : { data: { values } };
  const body = { entityType, action, params: chosen, idle: true, ...data };
  const { id } = await bodyOf(api.POST('/MassAction', { body: body as never }));
  return String(id);
}

/** Reads the status of a mass action. */
export async function readMassAction(id: string, signal?: AbortSignal) {
  const params = { path: { id } };
  return bodyOf(api.GET('/MassAction/{id}/status', { params, ...(signal && { signal }) }));
}

export type MassActionStatus = Awaited<ReturnType<typeof readMassAction>>;

const pollEveryMs = 1_000;

/** Polls the progress of a mass action until it has ended. */
export function massActionQuery(id: string) {
  return queryOptions({
    queryKey: ['mass-action', id],
    queryFn: async ({ signal }) => readMassAction(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'Running' ? pollEveryMs : false),
  });
}

/** Resolves when the server no longer processes records. */
export async function cancelMassAction(id: string): Promise<void> {
  await api.POST('/MassAction/{id}/cancel', { params: { path: { id } } });
}

interface ExportFile {
  readonly format: 'csv' | 'xlsx';
  /** The time zone of times in a spreadsheet. */
  readonly timeZone: string;
  /** The language of the labels in a spreadsheet. */
  readonly language: Language;
}

/** Returns the id of the exported file. */
export async function exportRecords(
  search: ListSearch,
  chosen: Chosen,
  { language, ...file }: ExportFile,
): Promise<string> {
  const { entity: entityType, select, orderBy, order } = search;
  const sorted =
    'ids' in chosen ? chosen : { searchParams: { ...chosen.searchParams, orderBy, order } };
  const body = { entityType, attributeList: select, ...file, ...sorted };
  const headers = { 'Accept-Language': language };
  const { id } = await bodyOf(api.POST('/Export', { body: body as never, headers }));
  return String(id);
}
