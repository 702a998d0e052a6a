import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import type { PartitionProgress, ProgressStep } from './partition-progress.ts';

/** A message of the log that is done with: its place, and the messages that its outcome writes. */
export interface Completion {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly messages: readonly AddressedMessage[];
  readonly onRecorded: () => void;
}

export interface PlannedCommit {
  readonly steps: readonly { readonly progress: PartitionProgress; readonly step: ProgressStep }[];
  readonly recorded: readonly Completion[];
  /** Completions that do not fit into the metadata of their partition. */
  readonly left: readonly Completion[];
}

export function planCommit(completions: readonly Completion[]): PlannedCommit {
  const byPartition = Map.groupBy(completions, ({ progress }) => progress);
  const steps = new Map(
    [...byPartition].map(([progress, ended]) => [
      progress,
      progress.stepWith(new Set(ended.map(({ offset }) => offset))),
    ]),
  );
  const isRecorded = ({ progress, offset }: Completion) =>
    steps.get(progress)?.recorded.has(offset) === true;
  return {
    steps: [...steps]
      .map(([progress, step]) => ({ progress, step }))
      .filter(({ step }) => step.recorded.size > 0),
    recorded: completions.filter(isRecorded),
    left: completions.filter((completion) => !isRecorded(completion)),
  };
}
