import { type Command, InvalidArgumentError, Option } from 'commander';
import { type RejectedPlace, toPlace } from '../../../services/system/rejected/rejected-place.ts';
import { eventTypes } from '../../../services/system/tail/event-filter.ts';
import type { CommandContext, Runner } from '../command-context.ts';
import type { RebuildOptions } from '../commands/rebuild.ts';
import {
  defineCommand,
  requireSomeText,
  toAction,
  toNumber,
  toTime,
  withCommonOptions,
  withExamples,
  withLog,
  withYes,
} from './common-options.ts';

/** Defines the commands for the log and the read model. */
export function defineLogCommands(program: Command, runner: Runner): void {
  const { run } = runner;
  defineTopics(program, runner);
  defineRejected(program, runner);
  withYes(
    defineCommand(program, 'rebuild', 'rebuild', 'rebuild --rollback', 'rebuild --drop-old --yes'),
  )
    .description('rebuild the read model from the log next to the live one, and switch to it')
    .option(
      '--from-nothing',
      'even without a live read model (no longer needed: detected automatically)',
    )
    .addOption(
      new Option(
        '--rollback',
        'instead, update the former read model and switch back to it',
      ).conflicts(['fromNothing', 'dropOld']),
    )
    .addOption(
      new Option('--drop-old', 'instead, drop former read models').conflicts(['fromNothing']),
    )
    .action((options: RebuildOptions, command: Command) => {
      const work = async (context: CommandContext) =>
        (await import('../commands/rebuild.ts')).rebuild(context, options);
      return run(command, options.dropOld === true ? work : withLog(work));
    });

  defineRebuildLog(program, runner);
  defineBackups(program, runner);

  withExamples(
    withCommonOptions(program.command('tail'), 'one JSON object per event, a line each'),
    'tail --entity Account --no-follow',
    'tail --user 0ca7a81001077281f --from 2026-01-31T12:00Z',
  )
    .description('show events of records as they arrive')
    .option('--entity <type>', 'only events of this entity type', requireSomeText)
    .option('--id <id>', 'only events of this record', requireSomeText)
    .option('--user <user>', 'only events by this user (id or user name)', requireSomeText)
    .option('--type <type>', 'created, updated or deleted', toEventType)
    .option(
      '--from <time>',
      'events since this time, for example 2026-01-31T12:00Z; reads the log from its beginning',
      toTime,
    )
    .option('--no-follow', 'stop at the end of the log')
    .action(toAction(run, async () => withLog((await import('../commands/tail.ts')).tail)));
}

function defineRebuildLog(program: Command, { runAlone }: Runner): void {
  withYes(
    defineCommand(
      program,
      'rebuild-log',
      'rebuild-log --dry-run',
      'rebuild-log --yes',
      'rebuild-log --replace --yes',
      'rebuild-log --replace --partition 2',
    ),
  )
    .description('rewrite the topics of a lost or damaged log from Postgres')
    .option('--dry-run', 'only show what would be done')
    .option(
      '--without <id>',
      'exclude the record with this id, whose history is incomplete; repeatable',
      collectTexts,
    )
    .option('--replace', 'replace an existing, damaged log')
    .addOption(
      new Option('--partition <number>', 'with --replace: only this partition of the records')
        .argParser(toNumber({ max: 999 }))
        .conflicts('without'),
    )
    .action(
      toAction(runAlone, async () => (await import('../commands/rebuild-log.ts')).rebuildLog),
    );
}

function defineBackups(program: Command, { runAlone }: Runner): void {
  defineCommand(program, 'backup', 'backup /backups/annals', 'backup /backups/annals --json')
    .description(
      'copy the log into a directory while Annals runs, or add what is new since the last backup',
    )
    .argument('<directory>', 'a new directory, or one with a backup of this log', requireSomeText)
    .option('--without-files', 'do not copy the bytes of files in the file store')
    .action(toAction(runAlone, async () => (await import('../commands/backup.ts')).backup));

  withExamples(
    withYes(withCommonOptions(program.command('restore'))),
    'restore /backups/annals --dry-run',
    'restore /backups/annals --data-dir /srv/annals --yes',
    'restore /backups/annals --until 2026-01-31T10:42 --yes',
  )
    .description('write a backup of the log into an installation without a log')
    .argument('<directory>', 'directory of the backup', requireSomeText)
    .option('--until <time>', 'only entries up to this time', toTime)
    .option('--dry-run', 'only verify the backup, and show what would be done')
    .action(toAction(runAlone, async () => (await import('../commands/restore.ts')).restore));
}

function toEventType(text: string): string {
  const type = text.toLowerCase();
  if (eventTypes.includes(type)) return type;
  throw new InvalidArgumentError(`It must be one of ${eventTypes.join(', ')}.`);
}

function defineRejected(program: Command, { run }: Runner): void {
  const rejected = program
    .command('rejected')
    .description('rejected entries of the log: list, show, retry, discard');

  defineCommand(rejected, 'list', 'rejected list')
    .description('list their positions, sizes and reasons')
    .action(toAction(run, async () => (await rejectedCommands()).printRejectedList));

  defineCommand(
    rejected,
    'show',
    'rejected show annals.records/1/4711',
    'rejected show annals.records/1/4711 annals.records/1/4712 --json',
  )
    .description('show their contents if they can be decoded, otherwise their bytes')
    .argument('<topic/partition/offset...>', 'entries, as printed by list', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).printRejected));

  defineCommand(rejected, 'retry', 'rejected retry annals.records/1/4711')
    .description('store the quarantined records of these entries again, with all of their events')
    .argument('<topic/partition/offset...>', 'entries, as printed by list', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).retryRejected));

  withYes(defineCommand(rejected, 'discard', 'rejected discard annals.records/1/4711 --yes'))
    .description(
      'return the quarantined records to their state before these entries, or acknowledge entries without a record',
    )
    .argument('<topic/partition/offset...>', 'entries, as printed by list', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).discardRejected));
}

function collectTexts(text: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), requireSomeText(text)];
}

function collectPlaces(
  text: string,
  before: readonly RejectedPlace[] | undefined,
): readonly RejectedPlace[] {
  const place = toPlace(text);
  if (place !== undefined) return [...(before ?? []), place];
  throw new InvalidArgumentError('It must have the form topic/partition/offset.');
}

const rejectedCommands = async () => import('../commands/rejected.ts');
const topicCommands = async () => import('../commands/topics.ts');

function defineTopics(program: Command, runner: Runner): void {
  const { run } = runner;
  const topics = program
    .command('topics')
    .description('the topics of Kafka: list, create, check, repair, accept, seal, recover');

  defineCommand(topics, 'list', 'topics list')
    .description('show partitions, replicas, entries and settings')
    .action(toAction(run, async () => (await topicCommands()).listTopics));

  defineCommand(topics, 'create', 'topics create', 'topics create --record-partitions 24')
    .description('create missing topics; existing topics are not changed')
    .option(
      '--record-partitions <number>',
      'partitions of topics keyed by record or webhook (default: ANNALS_RECORD_PARTITIONS, 4); cannot be changed later',
      toNumber({ min: 1, max: 1000 }),
    )
    .action(toAction(run, async () => (await topicCommands()).createTopics));

  defineCommand(topics, 'check', 'topics check')
    .description('compare the topics with what Annals would create')
    .action(toAction(run, async () => (await topicCommands()).checkTopics));

  withYes(defineCommand(topics, 'repair', 'topics repair --yes'))
    .description('correct the settings that topics check reports')
    .action(toAction(run, async () => (await topicCommands()).repairTopics));

  defineRepairs(topics, runner);
}

/** Defines the commands that repair the topics of a log that the services reject. */
function defineRepairs(topics: Command, { run, runAlone }: Runner): void {
  withYes(defineCommand(topics, 'accept', 'topics accept', 'topics accept --drop-tables --yes'))
    .description('continue with the present log if it is not the log of this installation')
    .option('--drop-tables', 'drop all tables, and fill them again from the log')
    .action(toAction(run, async () => (await import('../commands/accept-log.ts')).acceptLog));

  withYes(defineCommand(topics, 'seal', 'topics seal --yes'))
    .description('after an upgrade, stop counting entries without an authentication code')
    .action(toAction(run, async () => (await import('../commands/seal-log.ts')).sealLog));

  withYes(defineCommand(topics, 'recover', 'topics recover --dry-run', 'topics recover --yes'))
    .description('restore partitions that the Kafka of a stopped npm start set aside as -stray')
    .option('--dry-run', 'only show what would be done')
    .action(
      toAction(runAlone, async () => (await import('../commands/recover-topics.ts')).recoverTopics),
    );
}
