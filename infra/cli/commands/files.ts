import { counted } from '../../../shared/domain/counted.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { collectFiles } from '../files/collect-files.ts';
import { readHeldBackups, releaseBackup } from '../files/held-backups.ts';
import type { HashList } from '../files/list-files.ts';
import { type MoveTarget, moveFiles } from '../files/move-files.ts';
import { verifyFiles } from '../files/verify-files.ts';
import { withStore } from '../files/with-store.ts';
import { inMegabytes } from '../in-megabytes.ts';

/** `annals files move`: the exit code is 1 if neither the log nor the store has some files. */
export async function moveFilesTo(
  context: CommandContext,
  { to }: { readonly to: MoveTarget },
): Promise<number> {
  const result = await moveFiles(context, to);
  const { store, moved, bytes, present, missing } = result;
  const [target, source] = to === 'store' ? [store, 'the log'] : ['the log', store];
  context.printResult({ to, ...result, missing: missing.listed, missingCount: missing.count }, [
    `${counted(moved, 'file')} (${inMegabytes(bytes)}) moved from ${source} to ${target}; ${present} were already there.`,
    ...(moved > 0 ? [to === 'store' ? topicKeeps : storeKeeps] : []),
    ...toLines(missing, 'in neither place'),
  ]);
  return missing.count === 0 ? 0 : 1;
}

/** `annals verify --files`: the exit code is 1 if bytes are missing or differ from their hash. */
export async function verifyFileBytes(context: CommandContext): Promise<number> {
  const { missing, damaged, ...counts } = await verifyFiles(context);
  const isRight = missing.count + damaged.count === 0;
  const lists = { missing: missing.listed, damaged: damaged.listed };
  const numbers = { missingCount: missing.count, damagedCount: damaged.count };
  context.printResult({ ...counts, ...lists, ...numbers }, [
    ...toLines(missing, 'missing'),
    ...toLines(damaged, 'damaged'),
    `${isRight ? 'All bytes match their hashes' : 'Not all bytes match their hashes'}: ${counted(counts.files, 'file')}, ${inMegabytes(counts.bytes)} of them right, ${counts.inStore} in the file store.`,
  ]);
  return isRight ? 0 : 1;
}

interface CollectInput {
  readonly olderThan: number;
  readonly dryRun?: boolean;
}

const DAY_MS = 86_400_000;

/** `annals files collect`: deletes files that nothing names, or only counts them. */
export async function collectUnusedFiles(
  context: CommandContext,
  { olderThan, dryRun: isDryRun = false }: CollectInput,
): Promise<void> {
  const before = new Date(Date.now() - olderThan * DAY_MS);
  if (!isDryRun) await context.confirm('Delete the unused files in the file store?');
  const result = await collectFiles(context, { before, isDryRun });
  const { store, unused, bytes, used, recent, backups } = result;
  context.printResult({ isDryRun, ...result }, [
    `${counted(unused, 'unused file')} (${inMegabytes(bytes)}) ${isDryRun ? 'would be deleted from' : 'deleted from'} ${store}; ${used} are used, and ${recent} unused ones are newer than ${counted(olderThan, 'day')}.`,
    ...backups.map(
      ({ id, description }) => `Backup ${id} needs files in the store: ${description}`,
    ),
  ]);
}

/** `annals files release`: deletes the note of a backup that no longer exists. */
export async function releaseHeldBackup(context: CommandContext, id: string): Promise<void> {
  await withStore(context.installation, async (store) => {
    const held = (await readHeldBackups(store)).find((backup) => backup.id === id);
    if (held === undefined) {
      throw new OperatorError(
        `${store.name} keeps no files for a backup ${id}. Nothing was changed.`,
      );
    }
    await context.confirm(`Does the backup ${held.description} no longer exist?`);
    await releaseBackup(store, id);
    context.printResult({ id, released: true }, [
      `The files of the backup ${held.description} are no longer kept for it.`,
    ]);
  });
}

function toLines({ count, listed }: HashList, what: string): readonly string[] {
  if (count === 0) return [];
  const rest = count - listed.length;
  return [
    `${counted(count, 'file')} ${what}, by hash:`,
    ...listed,
    ...(rest > 0 ? [`and ${rest} more`] : []),
  ];
}

const topicKeeps =
  'The topic keeps its copy. Do not unset FILES_STORE before you have moved the files back.';
const storeKeeps =
  'The store keeps its copies. Delete them once no backup needs them and FILES_STORE is unset everywhere.';
