import type { FastifyInstance } from 'fastify';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { id, nullableText, objectOf } from '../../../shared/http/describe/schemas.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { updateCommand } from '../records/update.ts';

/** Registers routes for a user's position in a team. The position is a column of the user record's link to the team. */
export function registerTeamRoutes(server: FastifyInstance, context: CommandContext): void {
  server.put<{ Params: { readonly id: string } }>(
    '/api/v1/Team/:id/userPosition',
    setPosition,
    async (request, reply) => {
      requireAdministrator(await context.authenticate(request));
      const sent = requireObject(request.body);
      const { id: teamId } = request.params;
      const userId = requireText(sent, 'id');
      requireMember(context, teamId, userId);
      const body = { teamsColumns: { [teamId]: { role: sent['position'] ?? null } } };
      const input = { command: updateCommand, body, entity: 'User', id: userId };
      const command = await readCommand(context, request, input);
      const answer = await context.sender.send(updateCommand, { ...command, conditions: {} });
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

/** Throws if the user is not in the team: link columns for other teams would be dropped silently. */
function requireMember({ directory }: CommandContext, teamId: string, userId: string): void {
  const [team, user] = [directory.record('Team', teamId), directory.record('User', userId)];
  live(team, teamId);
  const { teamsIds } = live(user, userId).values;
  if (Array.isArray(teamsIds) && teamsIds.includes(teamId)) return;
  throw new Refusal('not_found', 'record.not_found', 'The user is not in this team.');
}

const setPosition = describeRoute({
  id: 'Team_userPosition',
  tag: 'Team',
  summary: 'Set the position of a user in a team',
  description: 'For administrators. It is the column `role` of the link.',
  parameters: ['id', 'Idempotency-Key'],
  body: objectOf({ id, position: { ...nullableText, maxLength: 100 } }, ['id']),
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [
    ...written,
    'access.admin_only',
    'body.value_missing',
    'record.invalid',
    'record.not_found',
  ],
});
