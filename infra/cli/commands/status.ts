import { describeDisk } from '../../../services/system/status/measure-disks.ts';
import { readStatus, type Status } from '../../../services/system/status/read-status.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { urlOfWebhook, withUrl } from '../../../shared/installation/webhook-name.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { readDirectory } from '../read-directory.ts';
import { toTable } from '../to-table.ts';

/** `annals status`: prints lags behind the log, assignments and failures. */
export async function status({ installation, printResult }: CommandContext): Promise<void> {
  const read = await readStatus(installation);
  const found = { ...read, deadLetters: await locate(installation, read.deadLetters) };
  printResult(found, toLines(found));
}

type LocatedDeadLetters = Awaited<ReturnType<typeof locate>>;
type Found = Status & { readonly deadLetters: LocatedDeadLetters };

/** Reads the directory only if names have to be looked up. */
async function locate(installation: Installation, counts: Status['deadLetters']) {
  if (counts.length === 0) return [];
  const directory = await readDirectory(installation);
  return counts.map((count) => ({ ...count, url: urlOfWebhook(directory, count.webhookId) }));
}

function toLines(found: Found): readonly string[] {
  const { partitions, instances, topics, queues, jobs, deadLetters, rejected, refused, disks } =
    found;
  const head = ['partition', 'end', 'projected', 'behind', 'seconds', 'owner', 'projector'];
  const rows = partitions.map((one) => [
    `${one.topic}/${one.partition}`,
    one.end,
    one.projected,
    one.behind,
    Math.ceil(one.seconds),
    one.owner ?? 'none',
    one.projector ?? 'none',
  ]);
  const stages = queues.map(({ stage, waiting, seconds }) => [stage, waiting, Math.ceil(seconds)]);
  const problem =
    refused === null ? [] : [`The log is rejected: ${refused.says}: ${refused.remedy}.`, ''];
  return [
    ...problem,
    ...toTable([head, ...rows]),
    ...partitions.flatMap(({ damage }) =>
      damage === null ? [] : [`The log is ${damage.reason}: ${damage.remedy}.`],
    ),
    '',
    ...toTable([['webhooks', 'waiting', 'seconds'], ...stages]),
    '',
    ...jobs.map(
      ({ name, waiting }) =>
        `The scheduled job ${name} has ${counted(waiting, 'entry')} left to process.`,
    ),
    `Processes: ${toCounts(instances)}.`,
    toTopicLine(topics),
    ...toRebuildLines(found.rebuild),
    ...disks.map((disk) => `The disk with ${disk.path} ${describeDisk(disk)}.`),
    ...toDeadLetterLines(deadLetters),
    rejected.length === 0
      ? 'No log entries were rejected.'
      : 'Rejected entries (see annals rejected list):',
    ...rejected.map(
      ({ topic, partition, reason, entries, lastOffset }) =>
        `  ${topic}/${partition}: ${entries} × ${reason}, last at offset ${lastOffset}`,
    ),
  ];
}

function toCounts(instances: Status['instances']): string {
  return Object.entries(instances)
    .map(([kind, members]) => counted(members.length, kind.slice(0, -1)))
    .join(', ');
}

function toRebuildLines(rebuild: Status['rebuild']): readonly string[] {
  if (rebuild === null) return [];
  const { isRunning, taken, entries } = rebuild;
  const state = isRunning ? 'is running' : 'was interrupted; annals rebuild continues it';
  return [`A rebuild ${state}. It has read ${taken} of ${counted(entries, 'entry')} of the log.`];
}

function toTopicLine({ missing, differing }: Status['topics']): string {
  if (missing.length > 0) return `Missing topics: ${missing.join(', ')}.`;
  if (differing.length === 0) return 'All topics are correct.';
  return `Topics with differences (see annals topics check): ${differing.join(', ')}.`;
}

/** The table of attempts contains only attempts that are younger than WEBHOOK_ATTEMPT_RETENTION. */
const withinRetention = 'within the retention of attempts';

function toDeadLetterLines(counts: LocatedDeadLetters): readonly string[] {
  if (counts.length === 0) return [`No webhook has dead letters ${withinRetention}.`];
  const lines = counts.map(
    ({ webhookId, url, batches }) => `  ${withUrl(webhookId, url)}: ${counted(batches, 'batch')}`,
  );
  return [
    `Dead letters by webhook, ${withinRetention} (see annals dead-letters list for all):`,
    ...lines,
  ];
}
