import { type Command, Option } from 'commander';
import type { Runner } from '../command-context.ts';
import {
  defineCommand,
  requireSomeText,
  toAction,
  toNumber,
  withLog,
  withYes,
} from './common-options.ts';

/** Defines the commands for the bytes of files. */
export function defineFileCommands(program: Command, { run }: Runner): void {
  const files = program.command('files').description('the bytes of files: move, collect, release');

  defineCommand(files, 'move', 'files move --to store', 'files move --to log --json')
    .description('move the bytes of files between the log and the file store while Annals runs')
    .addOption(
      new Option('--to <place>', 'store (FILES_STORE) or log')
        .choices(['store', 'log'])
        .makeOptionMandatory(),
    )
    .action(toAction(run, async () => withLog((await import('../commands/files.ts')).moveFilesTo)));

  withYes(
    defineCommand(
      files,
      'collect',
      'files collect --dry-run',
      'files collect --older-than 30 --yes',
    ),
  )
    .description('delete files in the file store that neither the log nor a backup names')
    .addOption(
      new Option('--older-than <days>', 'only files whose last upload is older')
        .argParser(toNumber({ min: 1, max: 36_500 }))
        .default(7),
    )
    .option('--dry-run', 'only count them')
    .action(
      toAction(run, async () => withLog((await import('../commands/files.ts')).collectUnusedFiles)),
    );

  withYes(
    defineCommand(files, 'release', 'files release 0192f0c1-7e7a-7cc4-8d9a-0c8e2f6f4d11 --yes'),
  )
    .description('let collect delete files that only this deleted backup needs')
    .argument('<backup>', 'the id of the backup, as printed by files collect', requireSomeText)
    .action(toAction(run, async () => (await import('../commands/files.ts')).releaseHeldBackup));
}
