import { append, requirePossibleId } from '../owner/append.ts';
import { executeCreate } from './create.ts';
import { prepareLinkChange } from './links/change-links.ts';
import type { RecordHandlers } from './record-handlers.ts';
import { executeRemove } from './remove.ts';
import { executeRestore } from './restore.ts';
import { executeUpdate } from './update.ts';

/** The default rules of the entity types in the records log. */
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
