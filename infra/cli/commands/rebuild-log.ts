import { counted } from '../../../shared/domain/counted.ts';
import { toLogAddress } from '../../../shared/installation/log-address.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { AloneContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { withServers } from '../own-servers.ts';
import type { ProgressDisplay } from '../progress.ts';
import { type RebuiltLog, runRebuildLog } from '../rebuild-log/run-rebuild-log.ts';
import { verifyReadModel } from '../verify/verify-read-model.ts';
import type { VerifyResult } from '../verify/verify-result.ts';

interface RebuildLogOptions {
  readonly dryRun?: boolean;
}

/**
 * `annals rebuild-log`: writes the topics of a lost Kafka anew from Postgres, and verifies the tables against them.
 * Without a running Annals it starts the Kafka and the Postgres of the data directory itself.
 */
export async function rebuildLog(
  context: AloneContext,
  { dryRun: isDryRun = false }: RebuildLogOptions,
): Promise<void> {
  const { confirm, dataDir, progress } = context;
  await withServers(dataDir, async (installation) => {
    const rebuilt = await runRebuildLog(installation, { isDryRun, confirm, progress });
    const verified = isDryRun ? undefined : await verify(installation, progress('Verifying'));
    print(context, rebuilt, verified);
    if ((verified?.differences ?? 0) > 0)
      throw new OperatorError('Postgres differs from the new log: annals verify names each.');
  });
}

function print(
  { printResult }: AloneContext,
  rebuilt: RebuiltLog,
  verified: VerifyResult | undefined,
): void {
  const lost = describeLost(rebuilt);
  printResult({ rebuilt: verified !== undefined, ...rebuilt, verified, lost }, [
    ...describe(rebuilt, verified),
    'What cannot come back:',
    ...lost.map((line) => `  ${line}`),
  ]);
}

async function verify(installation: Installation, shown: ProgressDisplay): Promise<VerifyResult> {
  const kafka = await toLogAddress(installation);
  const result = await verifyReadModel({ ...installation, kafka, onProgress: shown.update });
  shown.finish();
  return result;
}

function describe(
  { events, files, webhooks, generation }: RebuiltLog,
  verified: VerifyResult | undefined,
): readonly string[] {
  if (verified === undefined)
    return [`The log would be written anew: ${counted(events, 'event')}. Nothing was changed.`];
  const { batches, attempts, waiting } = webhooks;
  const parts = [
    counted(events, 'event'),
    `${counted(files, 'piece')} of files`,
    counted(batches, 'webhook batch'),
    counted(attempts, 'attempt'),
  ];
  return [
    `The log is written anew as generation ${generation}: ${parts.join(', ')}.`,
    `${counted(waiting, 'batch')} without an outcome will be sent.`,
    `${counted(verified.differences, 'difference')} between the log and Postgres: ${counted(verified.events, 'event')} of ${counted(verified.records, 'record')}.`,
  ];
}

/** Only what Postgres never had. */
function describeLost({ filled, rejected }: RebuiltLog): readonly string[] {
  return [
    'changes that were acknowledged with Prefer: respond-async and had not reached Postgres',
    'matches of changes that no webhook batch was made of yet: annals verify --webhooks counts them as never enqueued, annals replay sends them',
    'batches, attempts and dead letters of webhooks older than WEBHOOK_ATTEMPT_RETENTION, and where replays were',
    `entries that did not count: ${filled}, in whose places fences stand; ${rejected} of them were listed by annals rejected`,
  ];
}
