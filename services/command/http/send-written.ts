import type { FastifyReply, FastifyRequest } from 'fastify';
import { joinConsistencyTokens } from '../../../shared/http/consistency-token.ts';
import { toEntityTag } from '../../../shared/http/entity-tag.ts';
import { toStatusReason } from '../../../shared/http/errors/answer-error.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer, WriteAnswer } from '../owner/command.ts';
import { prefers } from './read-command.ts';
import { isShown, toBodyAsRead } from './record-body.ts';

/**
 * Sets the headers that describe the writes of a request: their positions in the log, and whether all writes were
 * repeats with the same Idempotency-Key. Does nothing without writes.
 */
export function setWriteHeaders(
  reply: FastifyReply,
  written: readonly WriteAnswer[],
): FastifyReply {
  if (written.length === 0) return reply;
  const tokens = written.map(({ consistencyToken }) => consistencyToken);
  void reply.header('X-Consistency-Token', joinConsistencyTokens(tokens));
  if (written.every(({ isReplay }) => isReplay)) void reply.header('Idempotency-Replayed', 'true');
  return reply;
}

/** The message for users who may create or change a record but not read it. The status is 2xx. */
const unreadable =
  'You may not read this record. It depends on its assigned user and teams: docs/reference/access.md.';

export interface AnsweredRecord {
  readonly request: FastifyRequest;
  readonly command: Command;
  readonly answer: CommandAnswer;
}

/**
 * Responds to a write of one record in the form that the request prefers. Includes the version if the user may read the
 * record.
 */
export function sendWritten(
  reply: FastifyReply,
  { request, command, answer, body }: AnsweredRecord & { readonly body: unknown },
): FastifyReply {
  const { prefer } = request.headers;
  const applied = ['respond-async', 'return=minimal'].filter((one) => prefers(prefer, one));
  if (applied.length > 0) void reply.header('Preference-Applied', applied.join(', '));
  void setWriteHeaders(reply, [answer]);
  const { state } = answer;
  const isReadable = isShown(command, state);
  if (!state.deleted && isReadable) void reply.header('ETag', toEntityTag(state.version));
  const warnings = [
    ...(answer.warnings ?? []),
    ...(state.deleted || isReadable ? [] : [unreadable]),
  ];
  if (warnings.length > 0) void reply.header('X-Warning', toStatusReason(warnings.join(' ')));
  if (applied.includes('return=minimal')) return reply.code(204).send();
  return sendJson(reply, body);
}

/** Responds to a write of one record with the attributes that the user may see. */
export async function answerRecord(
  context: CommandContext,
  reply: FastifyReply,
  { request, command, answer }: AnsweredRecord,
): Promise<FastifyReply> {
  const body = await toBodyAsRead(context, command, answer.state);
  return sendWritten(reply, { request, command, answer, body });
}
