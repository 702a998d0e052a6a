import type { FastifyInstance, FastifyRequest } from 'fastify';
import { accessDenied } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import {
  mayReadAddressed,
  requireStreamAccess,
  requireStreamScope,
} from '../../../shared/domain/access/stream-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { live, recordNotFound } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { reactionTypes } from '../../../shared/domain/stream/post-marks.ts';
import { streamPinsId, streamPinsType } from '../../../shared/domain/stream/stream-subscription.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { marked } from '../../../shared/http/describe/error-lists.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { Command } from '../owner/command.ts';
import { markRecord } from './mark-record.ts';
import { markCommand, pinCommand } from './stream-commands.ts';

type NoteParams = { readonly id: string };
type ReactionParams = NoteParams & { readonly type: string };
/** Registers the routes for pinning posts and for reactions to posts (docs/reference/stream.md#posts). */
export function registerNoteRoutes(server: FastifyInstance, context: CommandContext): void {
  for (const [method, isSet, [pinSummary, reactSummary]] of [
    ['POST', true, ['Pin a post in its stream', 'React to a post']],
    ['DELETE', false, ['Unpin a post', 'Remove a reaction']],
  ] as const) {
    const name = method.toLowerCase();
    server.route<{ Params: NoteParams }>({
      method,
      url: '/api/v1/Note/:id/pin',
      ...describeRoute({ ...ofNote, ...pinning, id: `${name}Note_pin`, summary: pinSummary }),
      handler: async (request, reply) =>
        sendJson(setWriteHeaders(reply, [await pin(context, request, isSet)]), true),
    });
    server.route<{ Params: ReactionParams }>({
      method,
      url: '/api/v1/Note/:id/myReactions/:type',
      ...describeRoute({
        ...ofNote,
        ...reacting,
        id: `${name}Note_myReactions`,
        summary: reactSummary,
      }),
      handler: async (request, reply) =>
        sendJson(setWriteHeaders(reply, [await react(context, request, isSet)]), true),
    });
  }
}

async function pin(
  context: CommandContext,
  request: FastifyRequest<{ Params: NoteParams }>,
  isPinned: boolean,
) {
  const mark = { of: 'pin', isSet: isPinned };
  const command = await readNoteCommand(context, request, mark);
  // The record with the pins is known only from the post, so a repeat is rejected after the post's deletion.
  const { note, parent, parentModel } = await requireSeen(context, command);
  if (parent === undefined || parentModel === undefined) {
    throw new Refusal('invalid', 'note.no_stream', 'Only posts on a record can be pinned.');
  }
  requireRecordAccess(command.actor, 'edit', { ...parent, model: parentModel });
  const model = context.directory.entity(streamPinsType);
  if (model === undefined) throw new Error('pins are not defined');
  const id = streamPinsId(parentModel.name, parent.id);
  const goneIds = await context.readGonePins(id);
  const noteId = note.id;
  const body = { entityType: parentModel.name, entityId: parent.id, noteId, isPinned, goneIds };
  return context.sender.send(pinCommand, { ...command, model, id, body, conditions: {} });
}

async function react(
  context: CommandContext,
  request: FastifyRequest<{ Params: ReactionParams }>,
  isSet: boolean,
) {
  const { type } = request.params;
  if (!reactionTypes.includes(type)) {
    const known = reactionTypes.join(', ');
    const message = `Unknown reaction '${printable(type)}'. Use one of: ${known}.`;
    throw new Refusal('invalid', 'note.reaction', message);
  }
  const command = await readNoteCommand(context, request, { of: type, isSet });
  const check = async () => requireSeen(context, command);
  const marks = { reaction: { type, isSet } };
  return markRecord(command, { id: command.id, marks, check }, context);
}

type NoteCommand = Command & NoteParams;

async function readNoteCommand(
  context: CommandContext,
  request: FastifyRequest<{ Params: NoteParams }>,
  mark: { readonly of: string; readonly isSet: boolean },
): Promise<NoteCommand> {
  const { id } = request.params;
  // The hash for the Idempotency-Key includes the body: setting and removing a reaction are different requests.
  const command = await readCommand(context, request, {
    command: markCommand,
    body: mark,
    id,
    entity: 'Note',
  });
  return { ...command, id };
}

interface SeenNote {
  readonly note: RecordState;
  /** Undefined for a post to users and teams, like `parentModel`. */
  readonly parent?: RecordState;
  readonly parentModel?: EntityModel;
}

/**
 * Reads a post and its parent record. Rejects actors who do not see the parent's stream or, without a parent, are not
 * addressed.
 */
async function requireSeen(
  context: CommandContext,
  { actor, model, id }: NoteCommand,
): Promise<SeenNote> {
  const note = live(await context.readRecord(model, id), id);
  if (note.values['parentId'] == null) {
    if (!mayReadAddressed(actor, note.values)) throw accessDenied('read');
    return { note };
  }
  const parentModel = context.directory.entity(String(note.values['parentType']));
  // The refusal does not reveal the parent, not even its id.
  if (parentModel === undefined) throw recordNotFound(id);
  requireStreamScope(actor, parentModel);
  const parent = live(await context.readRecord(parentModel, String(note.values['parentId'])), id);
  requireStreamAccess(actor, parentModel, parent);
  return { note, parent, parentModel };
}

const ofNote = {
  tag: 'Note',
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
} as const;

const pinning = {
  parameters: ['id', 'Idempotency-Key'],
  errors: [...marked, 'note.no_stream', 'note.too_many_pins'],
} as const;

const reacting = {
  parameters: [
    'id',
    { name: 'type', in: 'path', required: true, schema: { enum: reactionTypes } },
    'Idempotency-Key',
  ],
  errors: [...marked, 'note.reaction'],
} as const;
