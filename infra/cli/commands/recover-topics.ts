import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { lockDirectory } from '../../local/data-directory/directory-lock.ts';
import { hasStray, type RecoveryPlan } from '../../local/kafka/recovery/plan-recovery.ts';
import { findRecovery, recoverPartitions } from '../../local/kafka/recovery/recover-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import { createChildRegistry } from '../../local/processes/child-registry.ts';
import { endLeftovers } from '../../local/processes/end-leftovers.ts';
import { findEarlierPlace } from '../../local/provide-infrastructure.ts';
import { silentTerminal } from '../../local/terminal.ts';
import type { AloneContext } from '../command-context.ts';
import { toTable } from '../to-table.ts';

interface RecoverOptions {
  readonly dryRun?: boolean;
}

/**
 * `annals topics recover`: restores partitions that Kafka renamed to `-stray` when it started with an empty metadata
 * log. The topics keep their ids, so the mark (docs/adr/0024) and the positions in Postgres remain valid.
 */
export async function recoverTopics(
  context: AloneContext,
  { dryRun: isDryRun = false }: RecoverOptions,
): Promise<void> {
  const { isJson, output, confirm } = context;
  const directory = resolve(context.dataDir ?? (process.env['ANNALS_DATA_DIR'] || '.annals'));
  requireOwnKafka(directory);
  // Prevents Annals from being started in the meantime.
  const lock = lockDirectory(directory);
  try {
    const dataDir = join(directory, 'kafka');
    const plan = findRecovery(dataDir);
    for (const line of isJson ? [] : describePlan(plan, directory)) output.print(line);
    const isWanted = plan !== undefined && !isDryRun;
    if (isWanted) {
      await confirm(`Restore these partitions in ${dataDir}, with a new metadata log?`);
      // A killed run may have left its Kafka running.
      await endLeftovers(directory);
    }
    const kept = isWanted ? await recover(plan, directory) : undefined;
    if (isJson) output.print(JSON.stringify({ ...toResult(plan), recovered: isWanted }));
    else if (kept !== undefined) {
      output.print(
        `The topics have been restored. ${kept} has the replaced files, which are no longer needed.`,
      );
      output.print(
        'Now run npm start, then annals verify. If npm start reports that this is not the log of the installation, run annals topics accept.',
      );
    }
  } finally {
    lock.release();
  }
}

function requireOwnKafka(directory: string): void {
  if (findEarlierPlace(directory) !== 'local') {
    throw new OperatorError(
      `${directory} does not contain a Kafka that npm start created: set --data-dir to the data directory of npm start. For your own Kafka, use Kafka's tools.`,
    );
  }
  const { uid } = statSync(join(directory, 'kafka', 'data'));
  const self = process.getuid?.() ?? uid;
  if (self !== uid) {
    throw new OperatorError(
      `The Kafka in ${directory} belongs to another user (${uid}): run this command as that user.`,
    );
  }
}

async function recover(plan: RecoveryPlan, directory: string): Promise<string> {
  const registry = createChildRegistry(join(directory, 'run'));
  try {
    return await recoverPartitions(plan, {
      dataDir: join(directory, 'kafka'),
      env: process.env,
      spawn: registry.spawn,
      terminal: silentTerminal,
    });
  } finally {
    await registry.stopAll([]);
  }
}

function toResult(plan: RecoveryPlan | undefined) {
  const stray = plan?.topics.filter(hasStray) ?? [];
  return {
    topics: stray.map(({ name, id, partitions, bytes }) => ({
      topic: name,
      id,
      partitions: partitions.length,
      bytes,
    })),
    setAside: [...new Set(plan?.setAside.map(({ topic }) => topic))],
  };
}

function describePlan(plan: RecoveryPlan | undefined, directory: string): readonly string[] {
  if (plan === undefined) return [`No stray partitions in ${directory}.`];
  const { topics, setAside } = toResult(plan);
  const rows = topics.map(({ topic, partitions, bytes }) => [topic, partitions, bytes]);
  return [
    ...toTable([['stray', 'partitions', 'bytes'], ...rows]),
    ...(setAside.length === 0
      ? []
      : [`Recreated meanwhile and to be set aside: ${setAside.join(', ')}`]),
  ];
}
