import type { CommandContext } from '../context.ts';
import { append, requirePossibleId } from '../owner/append.ts';
import type { Executed, WriteRequest } from '../owner/command.ts';
import { executeCreate } from './create.ts';
import { type LinkChange, prepareLinkChange } from './links/change-links.ts';
import { executeRemove } from './remove.ts';
import { executeRestore } from './restore.ts';
import { executeUpdate } from './update.ts';

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

/** The default rules for entity types in the records log. */
export const logRecordHandlers: RecordHandlers = {
  create: executeCreate,
  update: executeUpdate,
  remove: executeRemove,
  restore: executeRestore,
  async changeLinks(verb, request, context) {
    requirePossibleId(request.id);
    const decide = await prepareLinkChange(verb, request, context);
    return append(context, request, { id: request.id, decide });
  },
};
