import {
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import type { RecordCommands } from '../records/record-commands.ts';
import type { CreateRequest } from '../routing/write-request.ts';
import type { ReadRecord } from './read-following.ts';

interface NoteDeps {
  readonly directory: Pick<Directory, 'entity'>;
  readonly readRecord: ReadRecord;
}

/**
 * Commands on posts (docs/reference/stream.md#posts): records like others, written by users who see the parent's
 * stream, changed by their authors and administrators.
 */
export function createNoteCommands(records: RecordCommands, deps: NoteDeps): RecordCommands {
  return {
    ...records,
    async create(request) {
      await requireOpenParent(request, deps);
      return records.create(request);
    },
  };
}

/** A body that names no parent at all is for the validation to refuse. */
async function requireOpenParent(
  { actor, body }: CreateRequest,
  { directory, readRecord }: NoteDeps,
): Promise<void> {
  const { type = 'Post', parentType, parentId } = body;
  if (type !== 'Post' && actor.type !== 'admin') {
    throw new Refusal('forbidden', 'note.type', 'Only notes of type Post can be created.');
  }
  const model = typeof parentType === 'string' ? directory.entity(parentType) : undefined;
  if (model?.definition.hasStream !== true) return;
  requireStreamScope(actor, model);
  if (typeof parentId !== 'string' || !isId(parentId)) return;
  const parent = await readRecord(model, parentId);
  if (parent !== undefined) requireStreamAccess(actor, model, parent);
}
