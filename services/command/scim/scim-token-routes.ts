import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { generateKey } from '../../../shared/secrets/generate-key.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { setScimTokenCommand } from './scim-commands.ts';

const path = '/api/v1/Oidc/settings/:id/scimToken';

/** Registers the routes with which administrators create and remove the SCIM token of a provider. */
export function registerScimTokenRoutes(server: FastifyInstance, context: CommandContext): void {
  const { secrets } = context;

  server.post(path, createToken, async (request, reply) => {
    const token = generateKey();
    await setToken(context, { request, reply, tokenHash: secrets.tokenHash(token) });
    return sendJson(reply, { token });
  });

  server.delete(path, removeToken, async (request, reply) => {
    await setToken(context, { request, reply, tokenHash: null });
    return sendJson(reply, true);
  });
}

interface TokenChange {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Null removes the token. */
  readonly tokenHash: string | null;
}

async function setToken(
  context: CommandContext,
  { request, reply, tokenHash }: TokenChange,
): Promise<void> {
  const { id } = Object(request.params);
  const input = { command: setScimTokenCommand, body: {}, entity: 'User', id: String(id) };
  const command = await readCommand(context, request, input);
  const answer = await context.sender.send(setScimTokenCommand, {
    ...command,
    // A repeated request returns another token, so it must also store that token.
    commandId: null,
    commandHash: null,
    conditions: {},
    untilReadable: false,
    body: { tokenHash },
  });
  await context.catchUp();
  void setWriteHeaders(reply, [answer]);
}

const tag = 'Single sign-on';
const errors = [...written, 'access.admin_only', 'record.not_found'] as const;

const createToken = describeRoute({
  id: 'Oidc_settings_scimToken_create',
  tag,
  summary: 'Create or replace the SCIM token of a provider',
  description:
    'For administrators. The provider sends the token as `Authorization: Bearer` to `/api/scim/v2`. Only this response contains it.',
  parameters: ['id'],
  answer: objectOf({ token: text }),
  headers: ['X-Consistency-Token'],
  errors,
});

const removeToken = describeRoute({
  id: 'Oidc_settings_scimToken_remove',
  tag,
  summary: 'Remove the SCIM token of a provider',
  description: 'For administrators. The provider can no longer change users and groups.',
  parameters: ['id'],
  answer: { const: true },
  headers: ['X-Consistency-Token'],
  errors,
});
