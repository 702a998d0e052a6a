import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../shared/domain/access/actor.ts';
import { acceptanceStatuses } from '../../shared/domain/entity/stock/options.ts';
import { Refusal, validationFailure } from '../../shared/domain/errors.ts';
import { live } from '../../shared/domain/record/decide.ts';
import { idsIn } from '../../shared/domain/record/ids-in.ts';
import { toRows } from '../../shared/domain/record/link-columns.ts';
import { describeRoute } from '../../shared/http/describe/describe-route.ts';
import { written } from '../../shared/http/describe/error-lists.ts';
import { id, objectOf, text } from '../../shared/http/describe/schemas.ts';
import { requireObject, requireText, textIn } from '../../shared/http/require-object.ts';
import { sendJson } from '../../shared/http/send-json.ts';
import type { CommandContext } from './context.ts';
import { readCommand } from './http/read-command.ts';
import { setWriteHeaders } from './http/send-written.ts';
import { defineChange } from './owner/define-command.ts';
import { asObject, asText } from './owner/read-body.ts';
import { decideChange } from './records/input/decide-change.ts';

/** `None` is the status of a user who has not responded. */
const responses = acceptanceStatuses.filter((status) => status !== 'None');

/**
 * Sets the acting user's status, a column of the meeting's link to its users. Does not require permission to edit the
 * meeting. Rejects users who are not invited.
 */
export const setAcceptanceCommand = defineChange({
  name: 'set-acceptance',
  readBody: asObject<{ readonly status: string }>({ status: asText }),
  decide(state, { actor, model, id, body: { status } }, { now }) {
    const current = live(state, id);
    if (!idsIn(current.values['usersIds']).includes(actor.id)) {
      const message = `You are not one of the users invited to this ${model.name}.`;
      throw new Refusal('forbidden', 'access.denied', message);
    }
    const rows = toRows(current.values['usersColumns']);
    const usersColumns = { ...rows, [actor.id]: { ...rows[actor.id], status } };
    return decideChange(model, current, { usersColumns }, now);
  },
});

/**
 * Registers the routes for users' responses to meetings and calls that they are invited to
 * (docs/reference/activities.md#attendees).
 */
export function registerMeetingRoutes(server: FastifyInstance, context: CommandContext): void {
  for (const entity of ['Meeting', 'Call']) {
    server.post(
      `/api/v1/${entity}/action/setAcceptanceStatus`,
      setAcceptance(entity),
      async (request, reply) => {
        const sent = requireObject(request.body);
        const recordId = textIn(sent, 'id');
        const input = { command: setAcceptanceCommand, body: sent, entity, id: recordId };
        const command = await readCommand(context, request, input);
        requireScope(command.actor, entity, 'read');
        const body = { status: readResponse(entity, sent['status']) };
        const target = { ...command, id: requireText(sent, 'id'), body };
        const answer = await context.sender.send(setAcceptanceCommand, target);
        return sendJson(setWriteHeaders(reply, [answer]), true);
      },
    );
  }
}

function readResponse(entity: string, status: unknown): string {
  const found = responses.find((one) => one === status);
  if (found !== undefined) return found;
  const message = `status must be one of ${responses.join(', ')}.`;
  throw validationFailure(entity, [{ field: 'status', type: 'valid', message }]);
}

function setAcceptance(entity: string) {
  return describeRoute({
    id: `${entity}_setAcceptanceStatus`,
    tag: entity,
    summary: 'Respond to an invitation',
    description: 'For the users of the record. Requires no permission to edit it.',
    parameters: ['Idempotency-Key'],
    body: objectOf({ id, status: { ...text, enum: responses } }),
    answer: { const: true },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors: [...written, 'body.value_missing', 'record.invalid', 'record.not_found'],
  });
}
