import type { PartitionWriter } from '../writer/partition-writer.ts';
import { type AppendRequest, submitTo, type Target } from './append.ts';
import type { CommandIdentity, Executed } from './write-request.ts';

export interface DirectoryCommands {
  /** Answers when the log has the change; NotOwner where another instance decides about the directory. */
  append(request: AppendRequest, target: Target): Promise<Executed>;
}

/** Of a command that nobody repeats. */
export const unrepeated: CommandIdentity = {
  commandId: null,
  commandHash: null,
  correlationId: null,
  isRepeat: false,
};

export function createDirectoryCommands(writer: PartitionWriter): DirectoryCommands {
  return { append: (request, target) => submitTo({ writer, partition: 0 }, request, target) };
}
