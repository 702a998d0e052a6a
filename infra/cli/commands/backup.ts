import { resolve } from 'node:path';
import { counted } from '../../../shared/domain/counted.ts';
import { runBackup } from '../backup/run-backup.ts';
import type { AloneContext } from '../command-context.ts';
import { inMegabytes } from '../in-megabytes.ts';
import { withServers } from '../own-servers.ts';

type BackupResult = Awaited<ReturnType<typeof runBackup>>;

/** `annals backup`: copies the log into a directory, or only the entries since the existing backup. */
export async function backup(
  context: AloneContext,
  directory: string,
  { withoutFiles = false }: { readonly withoutFiles?: boolean },
): Promise<void> {
  const startedAt = Date.now();
  const target = resolve(directory);
  const result = await withServers(context.dataDir, (installation) =>
    runBackup({ ...context, installation }, target, { withBytes: !withoutFiles }),
  );
  const seconds = (Date.now() - startedAt) / 1000;
  const { isStoreUnset, ...shown } = result;
  const { newEntries, newBytes, entries, bytes, isIncremental, foreign, files } = shown;
  const added = `${counted(newEntries, 'entry')}, ${inMegabytes(newBytes)}`;
  const all = `${counted(entries, 'entry')}, ${inMegabytes(bytes)}`;
  context.printResult({ directory: target, ...shown, seconds }, [
    isIncremental
      ? `${added} added in ${seconds.toFixed(1)} s. ${target} now has ${all}.`
      : `Backed up the log to ${target}: ${all} in ${seconds.toFixed(1)} s.`,
    ...(files === undefined ? [] : toFileLines(files)),
    ...(isStoreUnset ? [unset] : []),
    ...toForeignLines(foreign),
    'Store secret.key and seed.json separately too: without the key, the secrets in the backup cannot be read.',
  ]);
}

const unset =
  'Some files are not in the log, and therefore not in the backup: set FILES_STORE, and the variables that belong to it, to the values of the api.';

function toFileLines({ inBackup, inStore }: NonNullable<BackupResult['files']>): readonly string[] {
  const copied = `${counted(inBackup, 'file')} of the file store in it.`;
  if (inStore === 0) return [copied];
  return [
    copied,
    `${counted(inStore, 'file')} only in the file store, which keeps them for this backup until you run annals files release.`,
  ];
}

function toForeignLines({ entries, places }: BackupResult['foreign']): readonly string[] {
  if (entries === 0) return [];
  const rest = entries > places.length ? [`  and ${entries - places.length} more`] : [];
  return [
    `${counted(entries, 'entry')} in it with a wrong authentication code, which do not count (see annals rejected show):`,
    ...places.map((place) => `  ${place}`),
    ...rest,
  ];
}
