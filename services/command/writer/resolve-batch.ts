import { changedBy } from '../../../shared/domain/record/record-event.ts';
import type { Batch } from './decide-batch.ts';
import type { PartitionWriterDeps } from './partition-writer-deps.ts';
import type { Waiting } from './submission.ts';

/** Answers all commands of a batch that the log has from the offset `acceptedAt` on. */
export function resolveBatch(deps: PartitionWriterDeps, batch: Batch): void {
  for (const decided of batch.decided) answer(deps, decided, batch.acceptedAt ?? 0n);
  const bytes = batch.messages.reduce((sum, { value }) => sum + value.length, 0);
  if (batch.acceptedAt !== undefined) {
    deps.backlog.add(batch.acceptedAt + BigInt(batch.messages.length), bytes);
  }
}

/** Refusals also wait until reads see the events they are based on, so that no client then reads an older state. */
function answer(
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
 * Drops a batch that the log does not have. The cached states of its records are in doubt. Answers its waiting
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
