import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Actor, requireAdministrator } from '../../../shared/domain/access/actor.ts';
import {
  activeProviders,
  clientAuthentications,
  type SignInProvider,
  signInProviderType,
  toProviderValues,
  toSignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { always, reading, written } from '../../../shared/http/describe/error-lists.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import {
  count,
  flag,
  id,
  ids,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { CommandAnswer } from '../owner/command.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { defaultSettings, readProvider } from './read-provider.ts';
import { redirectUriOf } from './redirect-uri.ts';
import { removeProviderCommand, saveProviderCommand } from './single-sign-on-commands.ts';

type Params = { readonly id: string };

/**
 * Registers the routes for the providers of an installation: the list for the sign-in page, and the settings for
 * administrators (docs/reference/authentication.md#single-sign-on).
 */
export function registerProviderRoutes(server: FastifyInstance, context: CommandContext): void {
  const { directory } = context;

  server.get('/api/v1/Oidc/providers', listProviders, async () => {
    const list = activeProviders(directory).map(({ id: providerId, name }) => ({
      id: providerId,
      name,
    }));
    return { total: list.length, list };
  });

  server.get(settingsPath, listSettings, async (request) => {
    requireAdministrator(await context.authenticate(request));
    await context.untilConsistent(request.headers);
    const list = directory
      .records(signInProviderType)
      .map((state) => toShown(requireProvider(state)));
    return { total: list.length, list, redirectUri: redirectUriOf(request, context.config) };
  });

  server.post(settingsPath, createProvider, async (request, reply) => {
    const answer = await save(context, request, undefined);
    return sendSaved(reply, answer);
  });

  server.put<{ Params: Params }>(`${settingsPath}/:id`, changeProvider, async (request, reply) => {
    const answer = await save(context, request, request.params.id);
    return sendSaved(reply, answer);
  });

  server.delete<{ Params: Params }>(
    `${settingsPath}/:id`,
    removeProvider,
    async (request, reply) => {
      const { id: providerId } = request.params;
      const input = { command: removeProviderCommand, body: {}, entity: 'User', id: providerId };
      const command = { ...(await readCommand(context, request, input)), untilReadable: false };
      const answer = await context.sender.sendPlanned(removeProviderCommand, {
        ...command,
        conditions: {},
        plan() {
          requireAdministrator(command.actor);
          live(directory.record(signInProviderType, providerId), providerId);
          return {};
        },
      });
      await context.catchUp();
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

async function save(
  context: CommandContext,
  request: FastifyRequest,
  providerId: string | undefined,
): Promise<CommandAnswer> {
  const input = {
    command: saveProviderCommand,
    body: request.body,
    entity: 'User',
    ...(providerId === undefined ? {} : { id: providerId }),
  };
  const command = await readCommand(context, request, input);
  const answer = await context.sender.sendPlanned(saveProviderCommand, {
    ...command,
    conditions: {},
    // Providers are read from the directory in memory, not from Postgres.
    untilReadable: false,
    plan: () => plan(context, { ...command, providerId }),
  });
  await context.catchUp();
  return answer;
}

function plan(
  { directory, secrets }: CommandContext,
  {
    actor,
    body,
    providerId,
  }: { readonly actor: Actor; readonly body: JsonObject; readonly providerId: string | undefined },
): AttributeValues {
  requireAdministrator(actor);
  const known =
    providerId === undefined
      ? undefined
      : toSignInProvider(live(directory.record(signInProviderType, providerId), providerId));
  const { id: _, clientSecret: __, scimTokenHash: ___, ...current } = known ?? {};
  const read = readProvider(body, known === undefined ? defaultSettings : current);
  const { clientSecret, settings } = read;
  return {
    ...toProviderValues(settings),
    ...(clientSecret === undefined
      ? {}
      : { clientSecret: clientSecret === null ? null : secrets.seal(clientSecret) }),
  };
}

function sendSaved(reply: FastifyReply, answer: CommandAnswer): FastifyReply {
  return sendJson(setWriteHeaders(reply, [answer]), toShown(requireProvider(answer.state)));
}

function requireProvider(state: RecordState): SignInProvider {
  const provider = toSignInProvider(state);
  if (provider === undefined) throw new Error(`the provider ${state.id} was deleted`);
  return provider;
}

/** The client secret never leaves the installation. */
function toShown({ clientSecret, scimTokenHash, ...settings }: SignInProvider) {
  return {
    ...settings,
    hasClientSecret: clientSecret !== null,
    hasScimToken: scimTokenHash !== null,
  };
}

const settingsPath = '/api/v1/Oidc/settings';
const tag = 'Single sign-on';

const endpoints = {
  anyOf: [
    objectOf({ authorization: text, token: text, jwks: text, userInfo: nullableText }, [
      'authorization',
      'token',
      'jwks',
    ]),
    { type: 'null' },
  ],
  description: 'Null: read from `{issuer}/.well-known/openid-configuration`.',
};

const settings = {
  name: { ...text, description: 'The text of the button on the sign-in page.' },
  isActive: flag,
  issuer: { ...text, description: 'The `iss` claim of the tokens of the provider.' },
  clientId: text,
  clientAuthentication: { enum: clientAuthentications },
  endpoints,
  scopes: { type: 'array', items: text, description: 'Requested in addition to `openid`.' },
  prompt: nullableText,
  maxAgeSeconds: { type: ['integer', 'null'], minimum: 0 },
  userNameClaim: { ...text, description: 'A claim, or a path such as `profile.login`.' },
  groupClaim: nullableText,
  groups: {
    type: 'array',
    items: objectOf({ group: text, teamsIds: ids, rolesIds: ids }, ['group']),
    description: 'The teams and roles of the members of each group.',
  },
  createsUsers: { ...flag, description: 'Creates a user at the first sign-in of an account.' },
  linksByUserName: {
    ...flag,
    description: 'Links an account to the existing user of the same name at its first sign-in.',
  },
  allowsAdministrators: flag,
  syncsUser: { ...flag, description: 'Updates names and e-mail address at each sign-in.' },
  syncsGroups: { ...flag, description: 'Updates mapped teams and roles at each sign-in.' },
};

const provider = objectOf({ id, ...settings, hasClientSecret: flag, hasScimToken: flag });
const providerInput = {
  ...objectOf(
    {
      ...settings,
      clientSecret: {
        ...nullableText,
        description: 'Stored encrypted and never returned. Null removes it; absent keeps it.',
      },
    },
    [],
  ),
};

const listProviders = describeRoute({
  id: 'Oidc_providers',
  tag,
  summary: 'List the providers on the sign-in page',
  answer: pageOf(objectOf({ id, name: text })),
  errors: always,
  isOpen: 'always',
});

const listSettings = describeRoute({
  id: 'Oidc_settings',
  tag,
  summary: 'List the settings of all providers',
  description: 'For administrators. Register `redirectUri` with each provider.',
  parameters: ['X-Consistency-Token'],
  schemas: { signInProvider: provider },
  answer: objectOf({
    total: count,
    list: { type: 'array', items: refer('schemas', 'signInProvider') },
    redirectUri: text,
  }),
  errors: [...reading, 'access.admin_only'],
});

const errorsOfSave = [
  ...written,
  'access.admin_only',
  'record.invalid',
  'record.not_found',
  'sign_in.too_many',
] as const;
const headers = ['Idempotency-Replayed', 'X-Consistency-Token'] as const;

const createProvider = describeRoute({
  id: 'Oidc_settings_create',
  tag,
  summary: 'Add a provider',
  description: 'For administrators. Requires `name`, `issuer` and `clientId`.',
  parameters: ['Idempotency-Key'],
  body: providerInput,
  answer: refer('schemas', 'signInProvider'),
  headers,
  errors: errorsOfSave,
});

const changeProvider = describeRoute({
  id: 'Oidc_settings_change',
  tag,
  summary: 'Change the settings of a provider',
  description: 'For administrators. Settings that the body omits keep their values.',
  parameters: ['id', 'Idempotency-Key'],
  body: providerInput,
  answer: refer('schemas', 'signInProvider'),
  headers,
  errors: errorsOfSave,
});

const removeProvider = describeRoute({
  id: 'Oidc_settings_remove',
  tag,
  summary: 'Remove a provider',
  description: 'For administrators. All log-ins through the provider end.',
  parameters: ['id', 'Idempotency-Key'],
  answer: { const: true },
  headers,
  errors: [...written, 'access.admin_only', 'record.not_found'],
});
