import type { CommandContext } from '../context.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import type { LinkChange } from './links/change-links.ts';

type Decide<Request> = (request: Request, context: CommandContext) => Promise<Executed>;

/**
 * The rules of an entity type: how its owner decides each command. Each function rejects with NotOwner for records in
 * partitions of other instances.
 */
export interface RecordHandlers {
  readonly create: Decide<WriteRequest>;
  readonly update: Decide<WriteRequest>;
  readonly remove: Decide<WriteRequest>;
  readonly restore: Decide<WriteRequest>;
  readonly changeLinks: (
    verb: 'link' | 'unlink',
    request: WriteRequest<LinkChange>,
    context: CommandContext,
  ) => Promise<Executed>;
}
