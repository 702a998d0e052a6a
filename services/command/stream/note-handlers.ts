import {
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { logRecordHandlers } from '../records/log-record-handlers.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';

/**
 * Handlers of commands for posts (docs/reference/stream.md#posts). Users who see the parent's stream may create posts.
 * Authors and administrators may change them.
 */
export const noteHandlers: RecordHandlers = {
  ...logRecordHandlers,
  async create(request, context) {
    await requireOpenParent(request, context);
    return logRecordHandlers.create(request, context);
  },
};

const noPost: FieldProblem = { field: 'type', type: 'valid', message: 'type must be Post.' };

/** A missing parent is left to validation. */
async function requireOpenParent(
  { actor, body }: WriteRequest,
  { directory, readRecord }: CommandContext,
): Promise<void> {
  const { type = 'Post', parentType, parentId } = body;
  if (type !== 'Post' && actor.type === 'admin') throw validationFailure('Note', [noPost]);
  if (type !== 'Post') {
    throw new Refusal('forbidden', 'note.type', 'Only notes of type Post can be created.');
  }
  const model = typeof parentType === 'string' ? directory.entity(parentType) : undefined;
  if (model?.definition.hasStream !== true) return;
  requireStreamScope(actor, model);
  if (typeof parentId !== 'string' || !isId(parentId)) return;
  const parent = await readRecord(model, parentId);
  if (parent !== undefined) requireStreamAccess(actor, model, parent);
}
