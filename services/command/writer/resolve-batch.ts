import { changedBy } from '../../../shared/domain/record/record-event.ts';
import type { Batch } from './decide-batch.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import type { Waiting } from './submission.ts';

/** Resolves all commands of a batch that is in the log. `acceptedAt` is the offset of its first event. */
export function resolveBatch(deps: PartitionWriterDeps, batch: Batch): void {
  for (const decided of batch.decided) settle(deps, decided, batch.acceptedAt ?? 0n);
  const bytes = batch.messages.reduce((sum, { value }) => sum + value.length, 0);
  if (batch.acceptedAt !== undefined) {
    deps.backlog.add(batch.acceptedAt + BigInt(batch.messages.length), bytes);
  }
}

/**
 * Resolves or rejects a command. A refusal is sent only once reads see the event that it is based on, so that the
 * client does not read an older state afterwards.
 */
function settle(
  { cache, commands, waitProjected }: PartitionWriterDeps,
  { waiting, outcome }: Batch['decided'][number],
  acceptedAt: bigint,
): void {
  if (outcome.kind === 'refused') {
    const offset = offsetOf(outcome.basis, acceptedAt);
    if (offset === undefined) waiting.reject(outcome.error);
    else waitProjected(offset).then(() => waiting.reject(outcome.error), waiting.reject);
  } else if (outcome.kind === 'unchanged') {
    const offset = offsetOf(outcome.basis, acceptedAt);
    waiting.resolve({ state: outcome.state, offset, changed: [] });
  } else if (outcome.kind === 'repeated') {
    const offset = commands.peek(outcome.identity)?.offset;
    const { state, changed } = outcome;
    waiting.resolve({ state, changed, offset, isReplay: true });
  } else {
    const offset = acceptedAt + BigInt(outcome.index);
    cache.confirm(outcome.key, outcome.state, offset);
    if (outcome.identity !== undefined) commands.confirm(outcome.identity, offset);
    const { state, event } = outcome;
    waiting.resolve({ state, offset, event, changed: changedBy(event) });
  }
}

function offsetOf(
  { offset, index }: { readonly offset: bigint | undefined; readonly index: number | undefined },
  acceptedAt: bigint,
): bigint | undefined {
  return index === undefined ? offset : acceptedAt + BigInt(index);
}

/**
 * Drops a batch that is not in the log, marks the cached states of its records as doubtful, and returns its waiting
 * commands.
 */
export function withdrawBatch(
  { cache, commands }: PartitionWriterDeps,
  batch: Batch,
  knownUpTo: bigint,
): readonly Waiting[] {
  for (const { outcome } of batch.decided) {
    if (outcome.kind !== 'event') continue;
    cache.distrust(outcome.key, knownUpTo);
    if (outcome.identity !== undefined) commands.withdraw(outcome.identity);
  }
  return batch.decided.map(({ waiting }) => waiting);
}
