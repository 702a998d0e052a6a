import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client.ts';

/** The columns of a file, and how its rows become records. */
export interface ImportOptions {
  readonly entityType: string;
  /** An attribute per column; null skips the column. */
  readonly attributeList: readonly (string | null)[];
  readonly action: 'create' | 'createAndUpdate' | 'update';
  /** Indexes of the columns that identify the record to update. */
  readonly updateBy: readonly number[];
  readonly duplicates: 'create' | 'skip' | 'update';
  readonly delimiter: string;
  readonly encoding: string;
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly timezone: string;
  readonly decimalMark: string;
  readonly defaultValues: Readonly<Record<string, unknown>>;
}

/** Uploads a CSV file, and returns the id under which it can be imported. */
export async function uploadImportFile(file: File): Promise<string> {
  const { attachmentId } = await bodyOf(
    api.POST('/Import/file', {
      body: file as never,
      bodySerializer: (body: unknown) => body as File,
      headers: { 'Content-Type': 'text/csv' },
    }),
  );
  return attachmentId;
}

/** Starts an import in the background, and returns its id. */
export async function startImport(
  options: ImportOptions,
  file: { readonly attachmentId: string; readonly fileName: string; readonly dryRun: boolean },
): Promise<string> {
  const body = { ...options, ...file, headerRow: true, personNameFormat: 'f l', idleMode: true };
  const { id } = await bodyOf(api.POST('/Import', { body: body as never }));
  return id;
}

async function readImport(id: string, signal: AbortSignal) {
  return bodyOf(api.GET('/Import/{id}', { params: { path: { id } }, signal }));
}

export type ImportState = Awaited<ReturnType<typeof readImport>>;

const pollEveryMs = 1_000;

/** Polls the progress of an import until it has ended. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => readImport(id, signal),
    refetchInterval: ({ state }) => (state.data?.status === 'In Process' ? pollEveryMs : false),
  });
}

/** Undoes an import. Resolves when it is undone, or continues in the background if that takes long. */
export async function revertImport(id: string): Promise<void> {
  await api.POST('/Import/{id}/revert', { params: { path: { id } } });
}
