import type { FastifyInstance } from 'fastify';
import {
  type Actor,
  requireAdministrator,
  requireScope,
} from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import {
  type EntityModel,
  isRestorable,
} from '../../../shared/domain/entity/model/entity-model.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideRestore, recordNotFound } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { UNDO_DAYS, undoableSince } from '../../../shared/domain/record/undo-days.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute, noContent } from '../../../shared/http/describe/describe-route.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { id, objectOf } from '../../../shared/http/describe/schemas.ts';
import type { CommandContext } from '../context.ts';
import { readNamed } from '../http/read-command.ts';
import { sendWritten } from '../http/send-written.ts';
import { append, requirePossibleId } from '../owner/append.ts';
import type { Acting, Command, CommandAnswer, Executed, WriteRequest } from '../owner/command.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';
import type { Decide } from '../writer/submission.ts';
import { errorsOfNamed, errorsOfRemove, unknownAction, writeParameters } from './route-parts.ts';

export const restoreCommand = defineCommand({
  name: 'restore',
  readBody: asJson,
  execute: (context, request) => context.recordsOf(request.model).restore(request, context),
});

type EntityParams = { readonly entity: string };

/** Restores the record named in the body (docs/reference/actions.md). */
export function registerRestore(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: EntityParams }>(
    '/api/v1/:entity/action/restoreDeleted',
    restore,
    async (request, reply) => {
      const command = await readNamed(context, request, restoreCommand);
      const answer = await restoreRecord(command, context);
      return sendWritten(reply, { request, command, answer, body: true });
    },
  );
}

/**
 * Restores a deleted record, for administrators and the user who deleted it. If the record was the source of a merge,
 * the target keeps the values that it received, and the merge is ended, because it would otherwise delete the source
 * again.
 */
async function restoreRecord(
  command: Command & { readonly id: string },
  context: CommandContext,
): Promise<CommandAnswer> {
  const { actor, model, id } = command;
  requirePossibleId(id);
  return context.sender.sendPlanned(restoreCommand, {
    ...command,
    async plan() {
      if (!isRestorable(model.definition)) throw unknownAction(model, 'restoreDeleted');
      if (actor.type !== 'admin') {
        await context.untilCaughtUp(command.deadline);
        requireRestorer(command, await context.readState(model, id), context.now());
      }
      await context.endMergesOf(command);
      return {};
    },
  });
}

/** Decides a restoration on the owner instance. */
export async function executeRestore(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const restore = restoring(request);
  return append(context, request, {
    id: request.id,
    decide(state, writer) {
      requireRestorer(request, state, writer.now);
      return restore(state, writer);
    },
  });
}

/** Rejects users who are not administrators and have not recently deleted the record themselves. */
function requireRestorer(
  { actor, model, id }: Acting & { readonly id: string },
  state: RecordState | undefined,
  now: number,
): void {
  if (actor.type === 'admin') return;
  if (model.definition.log === 'directory') requireAdministrator(actor);
  if (state === undefined) throw recordNotFound(id);
  requireRestoring(actor, { ...state, model });
  const { modifiedById, modifiedAt } = state.values;
  const isOwn = state.deleted && modifiedById === actor.id;
  const since = formatDateTime(undoableSince(now));
  if (!isOwn || String(modifiedAt) < since) requireAdministrator(actor);
}

/** Rejects users who could not have deleted the record, or could not create it again. */
export function requireRestoring(
  actor: Actor,
  record: { readonly model: EntityModel; readonly id: string; readonly values: AttributeValues },
): void {
  requireScope(actor, record.model.name, 'create');
  requireScope(actor, record.model.name, 'delete');
  requireRecordAccess(actor, 'delete', record);
}

export function restoring({ id, conditions }: WriteRequest): Decide {
  return (state) => {
    const decided = decideRestore(state, id);
    if (state !== undefined) requireMatch(state, conditions);
    return decided;
  };
}

const body = objectOf({ id });
const errorsOfRestore = [
  ...errorsOfRemove,
  ...errorsOfNamed,
  'access.admin_only',
  'record.not_deleted',
] as const;

const restore = describeRoute({
  id: 'restore{entity}',
  tag: '{entity}',
  summary: 'Restore a deleted record of {entity}',
  description: `For administrators, and for ${UNDO_DAYS} days for the user who deleted the record.`,
  parameters: ['If-Match', ...writeParameters],
  body,
  answer: { const: true },
  headers: writeHeaders,
  errors: [...errorsOfRestore, 'merge.under_way'],
  more: noContent,
  expand: {
    isFor: ({ definition }) => isRestorable(definition),
    but: {
      User: { errors: [...errorsOfRestore, 'user.name_exists'] },
      Role: { errors: [...errorsOfRestore, 'role.invalid'] },
    },
  },
});
