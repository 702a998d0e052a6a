import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  dashboardPreferences,
  decidePreferences,
  preferencesType,
  readPreferences,
  resetAll,
  toPreferences,
} from '../../../shared/domain/preferences/preferences.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { anything, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { requireText, textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { defineChange } from '../owner/define-command.ts';
import { asValues } from '../owner/read-body.ts';

/** Changes the preferences of the user with this id. Null resets a preference. */
export const changePreferencesCommand = defineChange({
  name: 'change-preferences',
  readBody: asValues,
  entityType: preferencesType,
  decide(state, { actor, id, body }, { context }) {
    requireOwn(actor, id);
    live(context.directory.record('User', id), id);
    return decidePreferences(state, body);
  },
});

type Params = { readonly id: string };

/** Registers the routes that change the preferences of a user (docs/reference/preferences.md). */
export function registerPreferences(server: FastifyInstance, context: CommandContext): void {
  const { directory } = context;
  const storedOf = (userId: string) => directory.record(preferencesType, userId);

  server.put<{ Params: Params }>(path, changePreferences, async (request, reply) => {
    const { id } = request.params;
    const command = await readChange(context, request, { id, body: request.body });
    const answer = await change(context, command, () => readPreferences(command.body));
    return sendJson(setWriteHeaders(reply, [answer]), shown(context, answer));
  });

  server.delete<{ Params: Params }>(path, resetPreferences, async (request, reply) => {
    const { id } = request.params;
    const command = await readChange(context, request, { id, body: {} });
    const answer = await change(context, command, () => resetAll(storedOf(id)));
    return sendJson(setWriteHeaders(reply, [answer]), shown(context, answer));
  });

  server.post(
    '/api/v1/Preferences/action/resetDashboard',
    resetDashboard,
    async (request, reply) => {
      const { body } = request;
      const command = await readChange(context, request, { id: textIn(body, 'id'), body });
      requireText(command.body, 'id');
      const reset = dashboardPreferences.map((name) => [name, null] as const);
      const answer = await change(context, command, () => Object.fromEntries(reset));
      const { dashboardLayout, dashletsOptions } = shown(context, answer);
      return sendJson(setWriteHeaders(reply, [answer]), { dashboardLayout, dashletsOptions });
    },
  );
}

async function readChange(
  context: CommandContext,
  request: FastifyRequest,
  { id: userId, body }: { readonly id: string; readonly body: unknown },
): Promise<Command & { readonly id: string }> {
  const input = { command: changePreferencesCommand, body, id: userId, entity: 'User' };
  return { ...(await readCommand(context, request, input)), id: userId };
}

/**
 * Sends a change to a user's preferences. Rejects it if the actor is neither that user nor an administrator, or if the
 * user does not exist.
 */
async function change(
  { directory, sender }: CommandContext,
  { body: _, ...command }: Command & { readonly id: string },
  plan: () => AttributeValues,
): Promise<CommandAnswer> {
  const { actor, id: userId } = command;
  return sender.sendPlanned(changePreferencesCommand, {
    ...command,
    conditions: {},
    plan() {
      requireOwn(actor, userId);
      live(directory.record('User', userId), userId);
      return plan();
    },
  });
}

function shown({ directory }: CommandContext, { state }: CommandAnswer) {
  return toPreferences(live(directory.record('User', state.id), state.id), state);
}

function requireOwn(actor: Actor, userId: string): void {
  if (actor.type === 'admin' || actor.id === userId) return;
  throw new Refusal('forbidden', 'access.denied', 'You can only change your own preferences.');
}

const path = '/api/v1/Preferences/:id';
const tag = 'Preferences';
const errors = [...written, 'preferences.too_large', 'record.invalid', 'record.not_found'] as const;
const headers = ['Idempotency-Replayed', 'X-Consistency-Token'] as const;

const changePreferences = describeRoute({
  id: 'Preferences_change',
  tag,
  summary: 'Change preferences of a user',
  description:
    'Preferences that the body omits remain. Null resets a preference. Administrators can change the preferences of other users.',
  parameters: ['id', 'Idempotency-Key'],
  body: anything,
  answer: anything,
  headers,
  errors,
});

const resetPreferences = describeRoute({
  id: 'Preferences_reset',
  tag,
  summary: 'Reset all preferences of a user',
  parameters: ['id', 'Idempotency-Key'],
  answer: anything,
  headers,
  errors,
});

const resetDashboard = describeRoute({
  id: 'Preferences_resetDashboard',
  tag,
  summary: 'Reset the dashboard of a user',
  parameters: ['Idempotency-Key'],
  body: objectOf({ id }),
  answer: objectOf({ dashboardLayout: { type: 'array' }, dashletsOptions: anything }),
  headers,
  errors: [...errors, 'body.value_missing'],
});
