import { repairReadModel } from '../../../services/projector/rebuild/rebuild-read-model.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositionsSoFar } from '../../../shared/db/positions.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { AloneContext, CommandContext } from '../command-context.ts';
import { refuseWithout } from '../definitions/common-options.ts';
import { withServers } from '../own-servers.ts';
import { type ReplacedPartition, replacePartition } from '../rebuild-log/replace-partition.ts';
import { type RebuiltLog, runRebuildLog } from '../rebuild-log/run-rebuild-log.ts';
import type { VerifyResult } from '../verify/verification.ts';
import { verifyReadModel } from '../verify/verify-read-model.ts';
import { runRebuild } from './rebuild.ts';

interface RebuildLogOptions {
  readonly dryRun?: boolean;
  readonly without?: readonly string[];
  readonly replace?: boolean;
  readonly partition?: number;
}

/**
 * `annals rebuild-log`: rewrites the topics of a lost Kafka from Postgres, and verifies the tables against them. With
 * `--replace` it replaces a damaged log; with `--partition` as well, it replaces only one partition of the records. If
 * Annals is not running, it starts the Kafka and the Postgres of the data directory itself.
 */
export async function rebuildLog(
  alone: AloneContext,
  {
    dryRun: isDryRun = false,
    without = [],
    replace: isReplacing = false,
    partition,
  }: RebuildLogOptions,
): Promise<void> {
  if (!isReplacing) refuseWithout('--replace', { '--partition': partition });
  await withServers(alone.dataDir, async (installation) => {
    const context = { ...alone, installation };
    if (partition !== undefined)
      return printPartition(context, await replacePartition(context, { isDryRun, partition }));
    const options = { isDryRun, isReplacing, without: new Set(without) };
    const rebuilt = await runRebuildLog(context, options);
    if (!isDryRun) await refillTables(context);
    const verified = isDryRun ? undefined : await verify(context);
    print(context, rebuilt, verified);
    if ((verified?.differences ?? 0) > 0)
      throw new OperatorError(
        'Postgres differs from the new log: run annals verify to list the differences.',
      );
  });
}

/** Fills the tables from the new log if they were dropped because the log has fewer records. */
async function refillTables(context: CommandContext): Promise<void> {
  const { installation } = context;
  const positions = await withConnection(installation.connect, loadPositionsSoFar);
  if (positions.length > 0) return;
  const kafka = await toLogAddress(installation);
  await runRebuild({ ...context, installation: { ...installation, kafka } }, repairReadModel);
}

function printPartition(
  { printResult }: AloneContext,
  { generation, ...replaced }: ReplacedPartition,
): void {
  const { partition, events, kept, lost, first } = replaced;
  printResult(
    { replaced: generation !== undefined, generation, ...replaced },
    generation === undefined
      ? [
          `Partition ${partition} would be rewritten: ${counted(events, 'event')}. Nothing was changed.`,
        ]
      : [
          `Partition ${partition} has been rewritten from offset ${first} as generation ${generation}: ${counted(events, 'event')}, and ${counted(kept, 'entry')} that Postgres did not have.`,
          ...lost.map((reason) => `Not in Postgres and lost: ${reason}.`),
          'annals verify compares the log with Postgres.',
        ],
  );
}

function print(
  { printResult }: AloneContext,
  rebuilt: RebuiltLog,
  verified: VerifyResult | undefined,
): void {
  const lost = describeLost(rebuilt);
  printResult({ rebuilt: verified !== undefined, ...rebuilt, verified, lost }, [
    ...describe(rebuilt, verified),
    'Not recoverable:',
    ...lost.map((line) => `  ${line}`),
  ]);
}

async function verify({ installation, progress }: CommandContext): Promise<VerifyResult> {
  const shown = progress('Verifying');
  const kafka = await toLogAddress(installation);
  const opened = { ...installation, kafka };
  const result = await verifyReadModel(opened, { onProgress: shown.update });
  shown.finish();
  return result;
}

function describe(
  { events, files, kept, webhooks, generation }: RebuiltLog,
  verified: VerifyResult | undefined,
): readonly string[] {
  if (verified === undefined)
    return [`The log would be rewritten: ${counted(events, 'event')}. Nothing was changed.`];
  const { batches, attempts, waiting } = webhooks;
  const parts = [
    counted(events, 'event'),
    `${counted(files, 'piece')} of files`,
    counted(batches, 'webhook batch'),
    counted(attempts, 'attempt'),
    ...(kept > 0 ? [`${counted(kept, 'entry')} that Postgres did not have`] : []),
  ];
  return [
    `The log has been rewritten as generation ${generation}: ${parts.join(', ')}.`,
    `${counted(waiting, 'batch')} without an outcome will be sent.`,
    `${counted(verified.differences, 'difference')} between the log and Postgres: ${counted(verified.events, 'event')} of ${counted(verified.records, 'record')}.`,
  ];
}

/** Describes only entries that Postgres never had. */
function describeLost({ filled, leftOut, lost, rejected }: RebuiltLog): readonly string[] {
  return [
    ...lost.map((reason) => `entries that Postgres did not have: ${reason}`),
    'changes that were acknowledged with Prefer: respond-async and had not reached Postgres',
    'changes that matched a webhook but were not in a batch yet: annals verify --webhooks reports them as never enqueued, annals replay sends them',
    'webhook batches, attempts and dead letters older than WEBHOOK_ATTEMPT_RETENTION, and the positions of replays',
    ...(leftOut === 0 ? [] : [`${counted(leftOut, 'event')} of the excluded records`]),
    `entries that did not count: ${filled}, which are replaced by fences; ${rejected} of them were in annals rejected list`,
  ];
}
