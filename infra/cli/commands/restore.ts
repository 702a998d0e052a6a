import { resolve } from 'node:path';
import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { type FileList, readFileList, verifyBytes } from '../backup/backed-up-files.ts';
import { type Backup, readBackup, requireChunks } from '../backup/backup-file.ts';
import { type FoundEntries, verifyBackup } from '../backup/chunks.ts';
import type { RestoredFiles } from '../backup/restore-files.ts';
import { type RestoreRequest, runRestore } from '../backup/run-restore.ts';
import type { AloneContext } from '../command-context.ts';
import { withServers } from '../own-servers.ts';
import { countProgress } from '../progress.ts';

interface RestoreOptions {
  readonly until?: Date;
  readonly dryRun?: boolean;
}

/** `annals restore`: verifies a backup, and writes it into an installation that has no log. */
export async function restore(
  context: AloneContext,
  directory: string,
  { until, dryRun = false }: RestoreOptions,
): Promise<void> {
  const startedAt = Date.now();
  const source = resolve(directory);
  const backup = requireBackup(source);
  const moment = until?.getTime();
  if (until !== undefined) requireBefore(until, backup);
  const chunks = backup.partitions.flatMap((each) => each.chunks);
  const total = chunks.reduce((sum, { entries }) => sum + entries, 0);
  const found = await countProgress(context.progress('Verifying'), total, (onProgress) =>
    verifyBackup(source, backup, { until: moment, onProgress }),
  );
  if ((found.get('directory')?.entries ?? 0) === 0)
    throw new OperatorError(
      'The log in this backup begins after the given time: choose a later time.',
    );
  const files = await verifyFileBytes(context, source, backup);
  const request = { directory: source, backup, found, files, until: moment };
  const result = dryRun
    ? undefined
    : await withServers(
        context.dataDir,
        (installation) => runRestore({ ...context, installation }, request),
        { isNew: true },
      );
  const seconds = (Date.now() - startedAt) / 1000;
  print(context, request, result, seconds);
}

/** Returns the files that the backup names, after reading all bytes that are in it. */
async function verifyFileBytes(
  { progress }: AloneContext,
  directory: string,
  { files }: Backup,
): Promise<FileList> {
  if (files === undefined) return new Map();
  const list = readFileList(directory, files);
  return countProgress(progress('Verifying files'), list.size, async (add) => {
    await verifyBytes(directory, list, add);
    return list;
  });
}

function requireBackup(directory: string): Backup {
  const backup = readBackup(directory);
  if (backup === undefined) throw new OperatorError(`${directory} does not contain a backup.`);
  requireChunks(directory, backup);
  return backup;
}

/** Rejects a time after the start of the backup: later entries are missing, or exist only in some partitions. */
function requireBefore(until: Date, { takenAt }: Backup): void {
  if (until <= new Date(takenAt)) return;
  throw new OperatorError(
    `The backup was started at ${takenAt}, so it may lack entries up to ${until.toISOString()}: use an earlier time, or omit --until.`,
  );
}

/** `result` is undefined after a dry run. */
function print(
  { printResult }: AloneContext,
  { backup: { takenAt, mark }, found }: RestoreRequest,
  result: Awaited<ReturnType<typeof runRestore>> | undefined,
  seconds: number,
): void {
  const log = ['directory', 'records'].map((topic) => found.get(topic) ?? nothing);
  const lastAt = new Date(Math.max(...log.map((each) => each.lastAt))).toISOString();
  const entries = Object.fromEntries([...found].map(([topic, each]) => [topic, each.entries]));
  const counts = `${counted(entries['records'] ?? 0, 'entry')} of records, ${counted(entries['directory'] ?? 0, 'entry')} of the directory, the last one of ${lastAt}`;
  const { sealed } = mark;
  const restored = result !== undefined;
  printResult({ restored, takenAt, lastAt, sealed, entries, ...result, seconds }, [
    ...(restored
      ? [
          `The log has been restored as generation ${result.generation}: ${counts}, in ${seconds.toFixed(1)} s.`,
          `Webhooks: no events are sent again; ${counted(result.webhooks.deadLetters, 'batch')} without an outcome became dead letters.`,
          ...toFileLines(result.files),
          'Start Annals: the projector fills the tables from the log.',
        ]
      : [`The backup is complete and would be restored: ${counts}. Nothing was changed.`]),
    ...(sealed ? [] : [unsealed]),
  ]);
}

function toFileLines({ restored, missing }: RestoredFiles): readonly string[] {
  if (restored + missing === 0) return [];
  return [
    `Files: ${restored} are in the file store again.`,
    ...(missing > 0
      ? [
          `${counted(missing, 'file')} are missing, because neither the backup nor the file store has them.`,
        ]
      : []),
  ];
}

const unsealed =
  'The log in this backup is not sealed: entries without an authentication code count in it until you run annals topics seal.';

const nothing: FoundEntries = { entries: 0, lastAt: 0 };
