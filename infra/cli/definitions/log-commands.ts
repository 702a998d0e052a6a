import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type RejectedPlace,
  toPlace,
} from '../../../services/operations/rejected/rejected-place.ts';
import { eventTypes } from '../../../services/operations/tail/event-filter.ts';
import type { CommandContext } from '../command-context.ts';
import type { RebuildOptions } from '../commands/rebuild.ts';
import type { Runner } from '../runner.ts';
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

/** Commands for the log and the read model. */
export function defineLogCommands(program: Command, runner: Runner): void {
  const { run, runAlone } = runner;
  defineTopics(program, runner);
  defineRejected(program, runner);
  withYes(
    defineCommand(program, 'rebuild', 'rebuild', 'rebuild --rollback', 'rebuild --drop-old --yes'),
  )
    .description('rebuild the read model from the log, beside the live one, and switch to it')
    .option('--from-nothing', 'also when there is no live read model (it is found out anyway)')
    .addOption(
      new Option(
        '--rollback',
        'instead, switch back to the former read model, brought up to date first',
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

  withYes(defineCommand(program, 'rebuild-log', 'rebuild-log --dry-run', 'rebuild-log --yes'))
    .description('write the topics of a lost Kafka anew from Postgres')
    .option('--dry-run', 'only say what would be done')
    .action(
      toAction(runAlone, async () => (await import('../commands/rebuild-log.ts')).rebuildLog),
    );
  defineBackups(program, runner);

  withExamples(
    withCommonOptions(program.command('tail'), 'one JSON object per event, a line each'),
    'tail --entity Account --no-follow',
    'tail --user 0ca7a81001077281f --from 2026-01-31T12:00Z',
  )
    .description('show events of records as they come')
    .option('--entity <type>', 'only of this entity type', requireSomeText)
    .option('--id <id>', 'only of this record', requireSomeText)
    .option('--user <user>', 'only by this user, by id or user name', requireSomeText)
    .option('--type <type>', 'created, updated or deleted', toEventType)
    .option(
      '--from <time>',
      'events since then, for example 2026-01-31T12:00Z; reads the log from its beginning',
      toTime,
    )
    .option('--no-follow', 'end at the end of the log')
    .action(toAction(run, async () => withLog((await import('../commands/tail.ts')).tail)));
}

function defineBackups(program: Command, { runAlone }: Runner): void {
  defineCommand(program, 'backup', 'backup /backups/annals', 'backup /backups/annals --json')
    .description('copy the log into a directory while Annals runs, or only what came since')
    .argument('<directory>', 'a new one, or one with a backup of this log', requireSomeText)
    .action(toAction(runAlone, async () => (await import('../commands/backup.ts')).backup));

  withExamples(
    withYes(withCommonOptions(program.command('restore'))),
    'restore /backups/annals --dry-run',
    'restore /backups/annals --data-dir /srv/annals --yes',
    'restore /backups/annals --until 2026-01-31T10:42 --yes',
  )
    .description('write a backup of the log into an installation that has none')
    .argument('<directory>', 'what backup wrote', requireSomeText)
    .option('--until <time>', 'only what was written up to then', toTime)
    .option('--dry-run', 'only verify the backup, and say what would be done')
    .action(toAction(runAlone, async () => (await import('../commands/restore.ts')).restore));
}

function toEventType(text: string): string {
  const type = text.toLowerCase();
  if (eventTypes.includes(type)) return type;
  throw new InvalidArgumentError(`It is one of ${eventTypes.join(', ')}.`);
}

function defineRejected(program: Command, { run }: Runner): void {
  const rejected = program
    .command('rejected')
    .description('entries of the log that no table took: list, show, retry, discard');

  defineCommand(rejected, 'list', 'rejected list')
    .description('where they stand, how large they are, and why they were quarantined')
    .action(toAction(run, async () => (await rejectedCommands()).printRejectedList));

  defineCommand(
    rejected,
    'show',
    'rejected show annals.records/1/4711',
    'rejected show annals.records/1/4711 annals.records/1/4712 --json',
  )
    .description('what they hold, as far as it can be read; else their bytes')
    .argument('<topic/partition/offset...>', 'which ones, as list shows them', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).printRejected));

  defineCommand(rejected, 'retry', 'rejected retry annals.records/1/4711')
    .description(
      'stores the quarantined records of these entries again, as all of their events leave them',
    )
    .argument('<topic/partition/offset...>', 'which ones, as list shows them', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).retryRejected));

  withYes(defineCommand(rejected, 'discard', 'rejected discard annals.records/1/4711 --yes'))
    .description(
      'returns the quarantined records to their state before these entries, or acknowledges entries without a record',
    )
    .argument('<topic/partition/offset...>', 'which ones, as list shows them', collectPlaces)
    .action(toAction(run, async () => (await rejectedCommands()).discardRejected));
}

function collectPlaces(
  text: string,
  before: readonly RejectedPlace[] | undefined,
): readonly RejectedPlace[] {
  const place = toPlace(text);
  if (place !== undefined) return [...(before ?? []), place];
  throw new InvalidArgumentError('It is not of the form topic/partition/offset.');
}

const rejectedCommands = async () => import('../commands/rejected.ts');
const topicCommands = async () => import('../commands/topics.ts');

function defineTopics(program: Command, runner: Runner): void {
  const { run } = runner;
  const topics = program
    .command('topics')
    .description('the topics of Kafka: list, create, check, repair, accept, seal, recover');

  defineCommand(topics, 'list', 'topics list')
    .description('partitions, replicas, entries and settings')
    .action(toAction(run, async () => (await topicCommands()).listTopics));

  defineCommand(topics, 'create', 'topics create', 'topics create --record-partitions 24')
    .description('make those that are missing; existing ones stay as they are')
    .option(
      '--record-partitions <number>',
      'of topics by record or webhook (ANNALS_RECORD_PARTITIONS, 4); cannot be changed later',
      toNumber({ min: 1, max: 1000 }),
    )
    .action(toAction(run, async () => (await topicCommands()).createTopics));

  defineCommand(topics, 'check', 'topics check')
    .description('compare the settings with those that Annals would make')
    .action(toAction(run, async () => (await topicCommands()).checkTopics));

  withYes(defineCommand(topics, 'repair', 'topics repair --yes'))
    .description('set the settings that topics check names')
    .action(toAction(run, async () => (await topicCommands()).repairTopics));

  defineRepairs(topics, runner);
}

/** For a log that is not taken as it is. */
function defineRepairs(topics: Command, { run, runAlone }: Runner): void {
  withYes(defineCommand(topics, 'accept', 'topics accept', 'topics accept --drop-tables --yes'))
    .description(
      'go on with the log as it is, where it is not the one that this installation knows',
    )
    .option('--drop-tables', 'drop all tables, which are filled again from the log')
    .action(toAction(run, async () => (await import('../commands/accept-log.ts')).acceptLog));

  withYes(defineCommand(topics, 'seal', 'topics seal --yes'))
    .description('take no entries without an authentication code any more, after an upgrade')
    .action(toAction(run, async () => (await import('../commands/seal-log.ts')).sealLog));

  withYes(defineCommand(topics, 'recover', 'topics recover --dry-run', 'topics recover --yes'))
    .description('bring back what the Kafka of a stopped npm start put aside as -stray')
    .option('--dry-run', 'only say what would be done')
    .action(
      toAction(runAlone, async () => (await import('../commands/recover-topics.ts')).recoverTopics),
    );
}
