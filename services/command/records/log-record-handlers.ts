import { append, requirePossibleId } from '../owner/append.ts';
import { executeCreate } from './create-record.ts';
import { prepareLinkChange } from './links/change-links.ts';
import type { RecordHandlers } from './record-handlers.ts';
import { executeRemove } from './remove-record.ts';
import { executeRestore } from './restore-record.ts';
import { executeUpdate } from './update-record.ts';

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
