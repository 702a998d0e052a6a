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
 * `annals topics recover`: restores partitions that Kafka put aside as `-stray` when it started with an empty metadata
 * log. The topics keep their ids, so that the mark (docs/adr/0024) and the positions in Postgres stay valid.
 */
export async function recoverTopics(
  context: AloneContext,
  { dryRun: isDryRun = false }: RecoverOptions,
): Promise<void> {
  const { isJson, output, confirm } = context;
  const directory = resolve(context.dataDir ?? (process.env['ANNALS_DATA_DIR'] || '.annals'));
  requireOwnKafka(directory);
  // Prevents a start meanwhile.
  const lock = lockDirectory(directory);
  try {
    const dataDir = join(directory, 'kafka');
    const plan = findRecovery(dataDir);
    for (const line of isJson ? [] : describePlan(plan, directory)) output.print(line);
    const isWanted = plan !== undefined && !isDryRun;
    if (isWanted) {
      await confirm(`Put these partitions back into ${dataDir}, with a new metadata log?`);
      // A killed run may have left its Kafka running.
      await endLeftovers(directory);
    }
    const kept = isWanted ? await recover(plan, directory) : undefined;
    if (isJson) output.print(JSON.stringify({ ...toResult(plan), recovered: isWanted }));
    else if (kept !== undefined) {
      output.print(
        `The topics are back. ${kept} holds what had their places; nothing needs it any more.`,
      );
      output.print(
        'Now npm start, then annals verify. Where npm start says that this is not the log of the installation: annals topics accept.',
      );
    }
  } finally {
    lock.release();
  }
}

function requireOwnKafka(directory: string): void {
  if (findEarlierPlace(directory) !== 'local') {
    throw new OperatorError(
      `There is no Kafka of npm start in ${directory}: name its data directory with --data-dir. A Kafka of your own has tools of its own.`,
    );
  }
  const { uid } = statSync(join(directory, 'kafka', 'data'));
  const self = process.getuid?.() ?? uid;
  if (self !== uid) {
    throw new OperatorError(
      `The Kafka in ${directory} belongs to another user (${uid}): run this as that one.`,
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
  if (plan === undefined) return [`Nothing is stray in ${directory}.`];
  const { topics, setAside } = toResult(plan);
  const rows = topics.map(({ topic, partitions, bytes }) => [topic, partitions, bytes]);
  return [
    ...toTable([['stray', 'partitions', 'bytes'], ...rows]),
    ...(setAside.length === 0
      ? []
      : [`Made anew in their places meanwhile, and to be put aside: ${setAside.join(', ')}`]),
  ];
}
