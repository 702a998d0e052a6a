import {
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import type { CreateRequest } from '../forwarding/write-request.ts';
import type { RecordHandlers } from '../records/record-handlers.ts';
import type { ReadLiveRecord } from './read-following.ts';
import { requireAddressees } from './require-addressees.ts';

interface NoteDeps {
  readonly directory: Pick<Directory, 'entity' | 'record' | 'actor'>;
  readonly readRecord: ReadLiveRecord;
}

/**
 * Handlers of commands for posts (docs/reference/stream.md#posts). Users who see the parent's stream may create posts on
 * it, and `messagePermission` decides who may post to users and teams. Authors and administrators may change posts.
 */
export function createNoteHandlers(records: RecordHandlers, deps: NoteDeps): RecordHandlers {
  return {
    ...records,
    async create(request) {
      const { actor, model, body } = request;
      requirePost(request);
      // Checks the values that would be stored, so that no other form of an id can bypass the check.
      requireAddressees(actor, readInput(model, body, 'create').values, deps.directory);
      await requireOpenParent(request, deps);
      return records.create(request);
    },
  };
}

const noPost: FieldProblem = { field: 'type', type: 'valid', message: 'type must be Post.' };

function requirePost({ actor, body }: CreateRequest): void {
  const { type = 'Post' } = body;
  if (type === 'Post') return;
  if (actor.type === 'admin') throw validationFailure('Note', [noPost]);
  throw new Refusal('forbidden', 'note.type', 'Only notes of type Post can be created.');
}

/** Validation reports a missing parent. */
async function requireOpenParent(
  { actor, body }: CreateRequest,
  { directory, readRecord }: NoteDeps,
): Promise<void> {
  const { parentType, parentId } = body;
  const model = typeof parentType === 'string' ? directory.entity(parentType) : undefined;
  if (model?.definition.hasStream !== true) return;
  requireStreamScope(actor, model);
  if (typeof parentId !== 'string' || !isId(parentId)) return;
  const parent = await readRecord(model, parentId);
  if (parent !== undefined) requireStreamAccess(actor, model, parent);
}
