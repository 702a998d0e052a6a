import type { PartitionWriterDeps } from '../../services/command/writer/partition-writer-deps.ts';

/** For writers whose records are never quarantined. */
export const noQuarantine: PartitionWriterDeps['quarantine'] = {
  mayHold: () => false,
  requireFree: async () => {},
  read: async () => undefined,
};
