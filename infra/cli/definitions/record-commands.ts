import { type Command, Option } from 'commander';
import type { Runner } from '../command-context.ts';
import type { ImportRequest } from '../commands/import.ts';
import { defineCommand, requireSomeText, splitList } from './common-options.ts';

/** Commands for records. They use the API as the administrator of the data directory or as ANNALS_USER. */
export function defineRecordCommands(program: Command, { run }: Runner): void {
  defineCommand(
    program,
    'import',
    'import people.csv --entity Contact --dry-run',
    'import people.csv --entity Contact --columns firstName,lastName,-,emailAddress --update-by emailAddress',
  )
    .description('create and change records from a CSV file with a header')
    .argument('<file>', 'path of the file', requireSomeText)
    .requiredOption('--entity <type>', 'the entity type', requireSomeText)
    .option(
      '--columns <attributes>',
      'the attribute of each column; - skips one (default: the header)',
      splitList,
    )
    .option('--update-by <attributes>', 'update records with the same values', splitList)
    .addOption(
      new Option('--duplicates <action>', 'action for new records that are duplicates')
        .choices(['create', 'skip', 'update'])
        .default('create'),
    )
    .option('--dry-run', 'only count what would happen')
    .option('--delimiter <character>', 'between the columns; \\t for a tab', requireSomeText, ',')
    .addOption(
      new Option('--encoding <name>', 'encoding of the file')
        .choices(['utf-8', 'utf-16le', 'windows-1252'])
        .default('utf-8'),
    )
    .option('--date-format <format>', 'format of days', requireSomeText, 'YYYY-MM-DD')
    .option('--time-zone <zone>', 'time zone of times', requireSomeText, 'UTC')
    .addOption(
      new Option('--decimal-mark <character>', 'mark in numbers').choices(['.', ',']).default('.'),
    )
    .action((file: string, options: ImportRequest, command: Command) =>
      run(command, async (context) =>
        (await import('../commands/import.ts')).importFile(context, file, options),
      ),
    );
}
