import { Unavailable } from '../../../shared/domain/errors.ts';
import { encodeFence } from '../../../shared/events/log-entry-codec.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';

/**
 * Appends a fence with a new token, and reads the log through it, or to the end if the outcome is unknown. Returns the
 * token and the offset at which its ownership begins.
 */
export async function appendFence(
  { log, owner, address, newToken, seals, now, logger, versions }: PartitionWriterDeps,
  prevToken: string | null,
  readUpTo: (end: bigint) => Promise<void>,
): Promise<{ readonly token: string; readonly at: bigint }> {
  const token = newToken();
  const taking = { token, prevToken, owner, address, occurredAt: now() };
  const fence = encodeFence(taking, versions());
  try {
    const at = await log.append([{ key: 'fence', value: fence, seals: seals() }]);
    await readUpTo(at + 1n);
    return { token, at };
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    logger.warn({ err }, 'outcome of a fence is unknown');
    const at = await log.end();
    await readUpTo(at);
    return { token, at };
  }
}
