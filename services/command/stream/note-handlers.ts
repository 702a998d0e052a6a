import {
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import { type FieldProblem, Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { editable } from '../records/input/read-values.ts';
import { logRecordHandlers, type RecordHandlers } from '../records/record-handlers.ts';
import { findMentions } from './find-mentions.ts';
import { requireAddressees } from './require-addressees.ts';

/**
 * Handlers for commands on posts (docs/reference/stream.md#posts). Users who see the parent's stream may create posts
 * on it, and `messagePermission` determines who may post to users and teams. Authors and administrators may change
 * posts.
 */
export const noteHandlers: RecordHandlers = {
  ...logRecordHandlers,
  async create(request, context) {
    const { actor, model, body } = request;
    requirePost(request);
    // Checks the values in their stored form, so that no other form of an id can bypass the check.
    const { values } = readInput(model, body, 'create');
    requireAddressees(actor, values, context.directory);
    await requireOpenParent(request, context);
    const facts = { data: findMentions(values['post'], actor, context.directory) };
    return logRecordHandlers.create({ ...request, facts }, context);
  },
  async update(request, context) {
    const { actor, model, body } = request;
    const { values } = readInput(model, editable(actor, model, body), 'update');
    if (values['post'] === undefined) return logRecordHandlers.update(request, context);
    const facts = { data: findMentions(values['post'], actor, context.directory) };
    return logRecordHandlers.update({ ...request, facts }, context);
  },
};

const noPost: FieldProblem = { field: 'type', type: 'valid', message: 'type must be Post.' };

function requirePost({ actor, body }: WriteRequest): void {
  const { type = 'Post' } = body;
  if (type === 'Post') return;
  if (actor.type === 'admin') throw validationFailure('Note', [noPost]);
  throw new Refusal('forbidden', 'note.type', 'Only notes of type Post can be created.');
}

/** Validation already reports a missing parent. */
async function requireOpenParent(
  { actor, body }: WriteRequest,
  { directory, readRecord }: CommandContext,
): Promise<void> {
  const { parentType, parentId } = body;
  const model = typeof parentType === 'string' ? directory.entity(parentType) : undefined;
  if (model?.definition.hasStream !== true) return;
  requireStreamScope(actor, model);
  if (typeof parentId !== 'string' || !isId(parentId)) return;
  const parent = await readRecord(model, parentId);
  if (parent !== undefined) requireStreamAccess(actor, model, parent);
}
