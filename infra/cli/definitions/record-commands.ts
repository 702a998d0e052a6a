import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Runner } from '../command-context.ts';
import type { ImportRequest, MappedColumn } from '../commands/import.ts';
import { defineCommand, requireSomeText, splitList } from './common-options.ts';

/** Commands for records. They use the API as the administrator of the data directory or as ANNALS_USER. */
export function defineRecordCommands(program: Command, { run }: Runner): void {
  defineCommand(
    program,
    'import',
    'import people.csv --entity Contact --dry-run',
    'import people.csv --entity Contact --map "E-mail=emailAddress" --map "Notes=-" --update-by emailAddress',
  )
    .description('create and change records from a CSV file with a header')
    .argument('<file>', 'path of the file', requireSomeText)
    .requiredOption('--entity <type>', 'the entity type', requireSomeText)
    .option(
      '--map <header=attribute>',
      'a column whose header is not the attribute; header=- skips it; repeatable',
      toMappedColumn,
    )
    .option('--update-by <attributes>', 'update records with the same values', splitList)
    .addOption(
      new Option('--duplicates <action>', 'action for new records that are duplicates')
        .choices(['create', 'skip', 'update'])
        .default('create'),
    )
    .option('--dry-run', 'only count what would happen')
    .option(
      '--rejected <path>',
      'file for the rows that are not imported (default: people.rejected.csv for people.csv)',
      requireSomeText,
    )
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

/** Adds a column to those of earlier options. The attribute comes after the last `=`, because headers may have one. */
function toMappedColumn(
  text: string,
  earlier: readonly MappedColumn[] = [],
): readonly MappedColumn[] {
  const [, header = '', attribute = ''] = /^(.+)=([^=]+)$/s.exec(text.trim()) ?? [];
  if (attribute.trim() === '') {
    throw new InvalidArgumentError('It must have the form header=attribute; header=- skips it.');
  }
  return [...earlier, [header.trim(), attribute.trim() === '-' ? null : attribute.trim()]];
}
