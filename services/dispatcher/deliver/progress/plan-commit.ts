import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';
import type { PartitionProgress, ProgressStep } from './partition-progress.ts';

/** The ending of one message of the log. */
export interface Ending {
  readonly progress: PartitionProgress;
  readonly offset: bigint;
  readonly messages: readonly AddressedMessage[];
  readonly onRecorded: () => void;
}

export interface PlannedCommit {
  readonly steps: readonly { readonly progress: PartitionProgress; readonly step: ProgressStep }[];
  readonly recorded: readonly Ending[];
  /** Endings that do not fit into the note of their partition. */
  readonly heldBack: readonly Ending[];
}

export function planCommit(endings: readonly Ending[]): PlannedCommit {
  const byPartition = Map.groupBy(endings, ({ progress }) => progress);
  const steps = new Map(
    [...byPartition].map(([progress, ended]) => [
      progress,
      progress.stepWith(new Set(ended.map(({ offset }) => offset))),
    ]),
  );
  const isRecorded = ({ progress, offset }: Ending) =>
    steps.get(progress)?.recorded.has(offset) === true;
  return {
    steps: [...steps]
      .map(([progress, step]) => ({ progress, step }))
      .filter(({ step }) => step.recorded.size > 0),
    recorded: endings.filter(isRecorded),
    heldBack: endings.filter((ending) => !isRecorded(ending)),
  };
}
