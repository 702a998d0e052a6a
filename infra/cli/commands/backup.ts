import { resolve } from 'node:path';
import { counted } from '../../../shared/domain/counted.ts';
import { runBackup } from '../backup/run-backup.ts';
import type { AloneContext } from '../command-context.ts';
import { withServers } from '../own-servers.ts';

const MEGABYTE = 1024 * 1024;
type BackupResult = Awaited<ReturnType<typeof runBackup>>;

/** `annals backup`: copies the log into a directory, or only the entries since the existing backup. */
export async function backup(context: AloneContext, directory: string): Promise<void> {
  const startedAt = Date.now();
  const target = resolve(directory);
  const result = await withServers(context.dataDir, (installation) =>
    runBackup({ ...context, installation }, target),
  );
  const seconds = (Date.now() - startedAt) / 1000;
  const { newEntries, newBytes, entries, bytes, isIncremental, foreign } = result;
  const added = `${counted(newEntries, 'entry')}, ${inMegabytes(newBytes)}`;
  const all = `${counted(entries, 'entry')}, ${inMegabytes(bytes)}`;
  context.printResult({ directory: target, ...result, seconds }, [
    isIncremental
      ? `${added} added in ${seconds.toFixed(1)} s. ${target} now has ${all}.`
      : `Backed up the log to ${target}: ${all} in ${seconds.toFixed(1)} s.`,
    ...toForeignLines(foreign),
    'Store secret.key and seed.json separately too: without the key, the secrets in the backup cannot be read.',
  ]);
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

const inMegabytes = (bytes: number): string => `${(bytes / MEGABYTE).toFixed(1)} MB`;
