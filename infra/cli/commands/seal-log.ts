import { setTimeout as sleep } from 'node:timers/promises';
import { checkInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { markLog } from '../../../shared/installation/inspect-log.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { liveRead, readPartitions } from '../../../shared/kafka/read-partitions.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { requireKafka } from '../require-log.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';

const WAIT_MS = 60_000;
const POLL_INTERVAL_MS = 500;

/**
 * `annals topics seal`: seals the log, so that entries without an authentication code no longer count. All processes
 * must run a version that writes codes.
 */
export async function sealLog(context: CommandContext): Promise<number> {
  const { installation, printResult, confirm } = context;
  await requireKafka(installation);
  const verdict = await checkInstalledLog(installation);
  if (verdict.kind === 'refused') throw new OperatorError(`${verdict.says}: ${verdict.remedy}.`);
  if (verdict.kind !== 'known') {
    throw new OperatorError('The log has no mark yet: start an api or a projector first.');
  }
  if (!verdict.mark.sealed) {
    await confirm('Afterwards, entries written by earlier versions do not count. Seal the log?');
    await markSealed(installation, verdict.mark);
  }
  const open = await untilSealed(installation);
  const sealed = open.length === 0;
  printResult({ sealed, open }, [
    sealed
      ? 'Every partition of the log is sealed.'
      : `Not sealed yet: ${open.join(', ')}. Is an api running that owns them?`,
  ]);
  return sealed ? 0 : 1;
}

async function markSealed(
  installation: Installation,
  mark: Parameters<typeof markLog>[1],
): Promise<void> {
  const { topics, log } = installation;
  await withKafkaForMarks(installation, async (connection) => {
    for (const topic of [topics.directory, topics.records]) await requireCodes(connection, topic);
    await markLog({ connection, topics, log }, { ...mark, sealed: true });
  });
}

/** Rejects a partition whose last entry has no code, because a process of an earlier version is writing to it. */
async function requireCodes(connection: KafkaConnection, topic: string): Promise<void> {
  for (const { partition, offset: end } of await readEnds(connection, topic)) {
    if (end === 0n) continue;
    const place = { topic, partition, offset: end - 1n };
    const [found] = await readPartitions(connection, [place], liveRead);
    if (found?.messages.at(-1)?.proof !== 'none') continue;
    throw new OperatorError(
      `A process of an earlier version is writing to ${topic}/${partition}: upgrade every api first.`,
    );
  }
}

/**
 * Waits a limited time for projectors to read the sealing fences. Returns the names of partitions whose fence is still
 * unread.
 */
async function untilSealed({ connect }: Installation): Promise<readonly string[]> {
  const deadline = Date.now() + WAIT_MS;
  return withConnection(connect, async (client) => {
    for (;;) {
      const positions = await loadPositions(client);
      const open = positions.filter(({ sealed }) => !sealed);
      if (open.length === 0 || Date.now() > deadline)
        return open.map(({ topic, partition }) => `${topic}/${partition}`);
      await sleep(POLL_INTERVAL_MS);
    }
  });
}
