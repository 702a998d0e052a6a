import type { Command } from 'commander';
import { type RebuildOptions, rebuild } from '../commands/rebuild.ts';
import { type TailOptions, tail } from '../commands/tail.ts';
import { checkTopics, createTopics, listTopics, repairTopics } from '../commands/topics.ts';
import { withLog } from '../require-log.ts';
import type { Runner } from '../runner.ts';
import { toNumber, toTime, withCommonOptions, withExamples, withYes } from './common-options.ts';

/** The log, and what is made of it. */
export function defineLogCommands(program: Command, runner: Runner): void {
  defineTopics(program, runner);
  const { run } = runner;
  withExamples(
    withYes(withCommonOptions(program.command('rebuild'))),
    'rebuild',
    'rebuild --rollback',
    'rebuild --drop-old --yes',
  )
    .description('rebuild the read model from the log, beside the live one, and switch to it')
    .option('--from-nothing', 'also when there is no live read model (it is found out anyway)')
    .option('--rollback', 'switch back to the former read model, brought up to date first')
    .option('--drop-old', 'only drop former read models')
    .action((options: RebuildOptions, command: Command) => {
      const work = (context: Parameters<typeof rebuild>[0]) => rebuild(context, options);
      return run(command, options.dropOld === true ? work : withLog(work));
    });

  withExamples(
    withCommonOptions(program.command('tail')),
    'tail --entity Account --no-follow',
    'tail --user 0ca7a81001077281f --from 2026-01-31T12:00Z',
  )
    .description('show events of records as they come')
    .option('--entity <type>', 'only of this entity type')
    .option('--id <id>', 'only of this record')
    .option('--user <id>', 'only by this user')
    .option('--type <type>', 'created, updated or deleted')
    .option('--from <time>', 'events since then, for example 2026-01-31T12:00Z', toTime)
    .option('--no-follow', 'end at the end of the log')
    .action((options: TailOptions, command: Command) =>
      run(
        command,
        withLog((context) => tail(context, options)),
      ),
    );
}

function defineTopics(program: Command, { run }: Runner): void {
  const topics = program
    .command('topics')
    .description('the topics of Kafka: list, create, check, repair');

  withExamples(withCommonOptions(topics.command('list')), 'topics list')
    .description('partitions, replicas, entries and settings')
    .action((_options, command: Command) => run(command, listTopics));

  withExamples(
    withCommonOptions(topics.command('create')),
    'topics create',
    'topics create --record-partitions 24',
  )
    .description('make those that are missing; existing ones stay as they are')
    .option(
      '--record-partitions <number>',
      'of topics by record or webhook (ANNALS_RECORD_PARTITIONS, 4); cannot be changed later',
      toNumber({ min: 1, max: 1000 }),
    )
    .action((options: { readonly recordPartitions?: number }, command: Command) =>
      run(command, (context) => createTopics(context, options)),
    );

  withExamples(withCommonOptions(topics.command('check')), 'topics check')
    .description('compare the settings with those that Annals would make')
    .action((_options, command: Command) => run(command, checkTopics));

  withExamples(withYes(withCommonOptions(topics.command('repair'))), 'topics repair --yes')
    .description('set the settings that topics check names')
    .action((_options, command: Command) => run(command, repairTopics));
}
