import {
  describeFewerRows,
  type FewerRows,
} from '../../../services/projector/rebuild/find-fewer-rows.ts';
import {
  dropFormerReadModels,
  type RebuildDeps,
  RebuildRunning,
  rebuildReadModel,
  rollBackReadModel,
} from '../../../services/projector/rebuild/rebuild-read-model.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { followDirectory } from '../../../shared/directory/directory-follower.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { withKafka } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { refuseDamagedLog } from '../require-log.ts';

export interface RebuildOptions {
  readonly rollback?: boolean;
  readonly dropOld?: boolean;
}

/** `annals rebuild`: builds a read model next to the live one, which serves reads until the switch. */
export async function rebuild(context: CommandContext, options: RebuildOptions): Promise<void> {
  if (options.dropOld === true) return dropOld(context);
  await refuseDamagedLog(context.installation);
  const isRollback = options.rollback === true;
  const startedAt = Date.now();
  const result = await runRebuild(context, isRollback ? rollBackReadModel : rebuildReadModel);
  if (result === undefined) throw new OperatorError('No former read model exists.');
  const seconds = (Date.now() - startedAt) / 1000;
  const { entries, former } = result;
  const perSecond = Math.round(entries / seconds);
  const done = isRollback
    ? 'The former read model has been updated and is live again'
    : 'The read model has been rebuilt';
  const kept =
    former === undefined
      ? []
      : [
          `The former read model is kept as ${former} for a day. To return to it, run annals rebuild --rollback.`,
        ];
  context.printResult({ entries, former: former ?? null, seconds, perSecond }, [
    `${done}: ${counted(entries, 'entry')} of the log in ${seconds.toFixed(1)} s.`,
    ...kept,
  ]);
}

/** Throws OperatorError if another process is rebuilding. */
export async function runRebuild<Result>(
  { confirm, installation, progress }: CommandContext,
  work: (deps: RebuildDeps) => Promise<Result>,
): Promise<Result> {
  const { topics, log, connect } = installation;
  const shown = progress('Rebuilding');
  const follower = followDirectory(installation.kafka, topics.directory, log);
  const { signal } = new AbortController();
  const acceptFewerRows = async (tables: readonly FewerRows[]): Promise<void> => {
    shown.finish();
    await confirm(
      `${describeFewerRows(tables)}: the log has fewer records than the tables. Switch to the new tables anyway?`,
    );
  };
  const deps = { follower, source: installation, signal, connect, acceptFewerRows, log };
  try {
    return await withKafka(installation, (kafka) =>
      work({ ...deps, kafka, onProgress: shown.update }),
    );
  } catch (error) {
    if (error instanceof RebuildRunning) throw new OperatorError(error.message);
    throw error;
  } finally {
    shown.finish();
    await follower.close();
  }
}

async function dropOld({ installation, printResult, confirm }: CommandContext): Promise<void> {
  await confirm(
    'Drop the former read models? annals rebuild --rollback will no longer be possible.',
  );
  const dropped = await withConnection(installation.connect, (client) =>
    dropFormerReadModels(client, () => true),
  );
  printResult({ dropped }, [`Dropped: ${dropped.join(', ') || 'nothing'}.`]);
}
