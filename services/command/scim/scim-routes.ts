import { timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type ProvisionedGroup,
  provisionedGroups,
  provisionedGroupType,
} from '../../../shared/domain/login/provisioning.ts';
import {
  type SignInProvider,
  signInProviderType,
  toSignInProvider,
} from '../../../shared/domain/login/sign-in-provider.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { toObject } from '../../../shared/domain/value/attribute-values.ts';
import { addressOf } from '../../../shared/http/address/address-of.ts';
import { findAfterCatchUp } from '../../../shared/http/login/find-after-catch-up.ts';
import { createLoginLimit } from '../../../shared/http/login/login-limit.ts';
import { wrongCredentials } from '../../../shared/http/login/wrong-credentials.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { addJsonBodyParser } from '../../../shared/http/server/add-json-body-parser.ts';
import type { CommandContext } from '../context.ts';
import { redirectUriOf } from '../single-sign-on/redirect-uri.ts';
import { applyPatch, mergeResource, readResource } from './apply-patch.ts';
import {
  membersByGroup,
  removeGroup,
  requireGroup,
  saveGroup,
  toGroupResource,
} from './manage-groups.ts';
import {
  changeUser,
  createUser,
  managedUsers,
  removeUser,
  requireManaged,
} from './manage-users.ts';
import {
  type ListQuery,
  readGroupAttribute,
  readListQuery,
  readWanted,
  resourceTypes,
  rootPath,
  schemaBodies,
  serviceProviderConfig,
  toErrorBody,
  toListBody,
  toResourceBody,
} from './scim-answers.ts';
import { matchesFilter, parseFilter } from './scim-filter.ts';
import { groupSchema, type ResourceSchema, userSchema } from './scim-schemas.ts';
import { type ManagedUser, readUserAttribute, toUserResource } from './scim-user.ts';

const mediaType = 'application/scim+json';
const CREATED = 201;
const NO_CONTENT = 204;

/** A request of a provider, after its token was verified. */
interface Call {
  readonly provider: SignInProvider;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  /** The address of the SCIM routes. */
  readonly base: string;
}

type Handle = (call: Call) => Promise<FastifyReply>;

/**
 * Registers SCIM 2.0 (RFC 7643, RFC 7644), with which providers manage users and groups
 * (docs/operations/single-sign-on.md#provisioning-with-scim). `Schemas` describes these routes, not the OpenAPI document.
 */
export function registerScimRoutes(server: FastifyInstance, context: CommandContext): void {
  const requireProvider = createRequireProvider(context);
  // A separate scope, because only these routes have this media type and these errors.
  void server.register(
    async (scope) => {
      addJsonBodyParser(scope, ['application/json', mediaType]);
      scope.addHook('onSend', async (_request, reply, payload) => {
        if (reply.statusCode < 400) return payload;
        void reply.header('content-type', mediaType);
        return JSON.stringify(toErrorBody(reply.statusCode, String(payload)));
      });
      const route = (
        method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
        url: string,
        handle: Handle,
      ) =>
        scope.route({
          method,
          url,
          handler: async (request, reply) => {
            const provider = await requireProvider(request, reply);
            // Another api may have written what the provider refers to.
            await context.catchUp();
            const { id } = toObject(request.params);
            const base = new URL(rootPath, redirectUriOf(request, context.config)).href;
            const query = toObject(request.query);
            return handle({ provider, request, reply, id: String(id), query, base });
          },
        });
      scope.setNotFoundHandler(({ originalUrl }) => {
        const message = `${printable(originalUrl)} does not exist.`;
        throw new Refusal('not_found', 'route.not_found', message);
      });
      registerUsers(route, context);
      registerGroups(route, context);
      registerDescriptions(route);
    },
    { prefix: rootPath },
  );
}

const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;

/** Returns a function that finds the provider to which the token of a request belongs. */
function createRequireProvider({ catchUp, directory, now, secrets }: CommandContext) {
  const limit = createLoginLimit({ maxFailures: MAX_FAILURES, windowMs: WINDOW_MS, now });

  function findProvider(token: string): SignInProvider | undefined {
    const tokenHash = Buffer.from(secrets.tokenHash(token));
    return directory
      .records(signInProviderType)
      .flatMap((state) => toSignInProvider(state) ?? [])
      .find(({ scimTokenHash }) => {
        const known = Buffer.from(scimTokenHash ?? '');
        return known.length === tokenHash.length && timingSafeEqual(known, tokenHash);
      });
  }

  return async (request: FastifyRequest, reply: FastifyReply): Promise<SignInProvider> => {
    const [, token = ''] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
    const find = () => findProvider(token);
    const known = find();
    if (known !== undefined) return known;
    // Checked afterwards: wrong tokens from the address of a provider must not stop the provider.
    const address = addressOf(request);
    if (limit.isExceeded(address)) {
      throw new Refusal('forbidden', 'login.limited', 'Too many wrong tokens from this address.');
    }
    const provider = await findAfterCatchUp(find, catchUp);
    if (provider !== undefined) return provider;
    limit.recordFailure(address);
    void reply.header('www-authenticate', 'Bearer');
    throw wrongCredentials();
  };
}

type Route = (
  method: 'DELETE' | 'GET' | 'PATCH' | 'POST' | 'PUT',
  url: string,
  handle: Handle,
) => void;

function registerUsers(route: Route, context: CommandContext): void {
  const path = userSchema.endpoint;
  const toBody = (call: Call, managed: ManagedUser, isWanted: ListQuery['isWanted']) => {
    const read = readUser(context, call.provider, managed);
    return toResourceBody(userSchema, managed.user, { read, isWanted, base: call.base });
  };
  const sendUser = async (call: Call, id: string, status = 200) => {
    await context.catchUp();
    const body = toBody(
      call,
      requireManaged(context, call.provider, id),
      readWanted(call.query, userSchema),
    );
    return sendScim(call.reply, body, status);
  };

  route('GET', path, async (call) => {
    const list = readListQuery(call.query, userSchema);
    const filter = readFilter(call, userSchema);
    const found = managedUsers(context, call.provider).filter((managed) =>
      matchesFilter(readUser(context, call.provider, managed), filter),
    );
    const page = pageOf(found, list).map((managed) => toBody(call, managed, list.isWanted));
    return sendScim(call.reply, toListBody(found.length, list.startIndex, page));
  });

  route('GET', `${path}/:id`, async (call) => sendUser(call, call.id));

  route('POST', path, async (call) => {
    const wanted = readResource(requireObject(call.request.body), userSchema);
    const id = await createUser(context, call.provider, wanted);
    void call.reply.header('location', `${call.base}${path}/${id}`);
    return sendUser(call, id, CREATED);
  });

  route('PUT', `${path}/:id`, async (call) => {
    const managed = requireManaged(context, call.provider, call.id);
    const given = readResource(requireObject(call.request.body), userSchema);
    const wanted = mergeResource(toUserResource(managed), given);
    await changeUser(context, call.provider, managed, wanted);
    return sendUser(call, call.id);
  });

  route('PATCH', `${path}/:id`, async (call) => {
    const managed = requireManaged(context, call.provider, call.id);
    const body = requireObject(call.request.body);
    const wanted = applyPatch(toUserResource(managed), body, userSchema);
    await changeUser(context, call.provider, managed, wanted);
    return sendUser(call, call.id);
  });

  route('DELETE', `${path}/:id`, async (call) => {
    await removeUser(context, call.provider, requireManaged(context, call.provider, call.id));
    return sendNothing(call.reply);
  });
}

/** Returns a function that returns an attribute of a user. */
function readUser({ directory }: CommandContext, provider: SignInProvider, managed: ManagedUser) {
  const groupsOf = () => {
    const ids = new Set(managed.provisioned?.groupIds);
    return ids.size === 0
      ? []
      : provisionedGroups(directory, provider.id)
          .filter(({ id }) => ids.has(id))
          .map(({ id: value, displayName: display }) => ({ value, display, type: 'direct' }));
  };
  return (name: string) => (name === 'groups' ? groupsOf() : readUserAttribute(managed, name));
}

function registerGroups(route: Route, context: CommandContext): void {
  const path = groupSchema.endpoint;
  const membersOf = (provider: SignInProvider, id: string) =>
    membersByGroup(context, provider).get(id) ?? [];
  const sendGroup = async (call: Call, id: string, status = 200) => {
    await context.catchUp();
    const group = requireGroup(context, call.provider, id);
    const isWanted = readWanted(call.query, groupSchema);
    const read = readGroup(context, group, () => membersOf(call.provider, id));
    return sendScim(call.reply, toGroupBody(context, call, { group, read, isWanted }), status);
  };

  route('GET', path, async (call) => sendScim(call.reply, listGroups(context, call)));

  route('GET', `${path}/:id`, async (call) => sendGroup(call, call.id));

  route('POST', path, async (call) => {
    const wanted = readResource(requireObject(call.request.body), groupSchema);
    const id = context.newId();
    await saveGroup(context, call.provider, { id, wanted });
    void call.reply.header('location', `${call.base}${path}/${id}`);
    return sendGroup(call, id, CREATED);
  });

  route('PUT', `${path}/:id`, async (call) => {
    const group = requireGroup(context, call.provider, call.id);
    const given = readResource(requireObject(call.request.body), groupSchema);
    const current = toGroupResource(group, membersOf(call.provider, call.id));
    const wanted = mergeResource(current, given);
    await saveGroup(context, call.provider, { id: call.id, wanted });
    return sendGroup(call, call.id);
  });

  // Responds without the group, because providers send one request per few members, and a group has thousands.
  route('PATCH', `${path}/:id`, async (call) => {
    const group = requireGroup(context, call.provider, call.id);
    const current = toGroupResource(group, membersOf(call.provider, call.id));
    const wanted = applyPatch(current, requireObject(call.request.body), groupSchema);
    await saveGroup(context, call.provider, { id: call.id, wanted });
    return sendNothing(call.reply);
  });

  route('DELETE', `${path}/:id`, async (call) => {
    const group = requireGroup(context, call.provider, call.id);
    await removeGroup(context, call.provider, group);
    return sendNothing(call.reply);
  });
}

function listGroups(context: CommandContext, call: Call): object {
  const list = readListQuery(call.query, groupSchema);
  const filter = readFilter(call, groupSchema);
  const members = membersByGroup(context, call.provider);
  const found = provisionedGroups(context.directory, call.provider.id)
    .map((group) => {
      const membersOf = () => members.get(group.id) ?? [];
      return { group, read: readGroup(context, group, membersOf), isWanted: list.isWanted };
    })
    .filter(({ read }) => matchesFilter(read, filter));
  const page = pageOf(found, list);
  const bounded = list.isWanted('members')
    ? boundMembers(page, ({ group }) => members.get(group.id)?.length ?? 0)
    : page;
  const bodies = bounded.map((one) => toGroupBody(context, call, one));
  return toListBody(found.length, list.startIndex, bodies);
}

interface ShownGroup {
  readonly group: ProvisionedGroup;
  readonly read: (attribute: string) => unknown;
  readonly isWanted: ListQuery['isWanted'];
}

function toGroupBody(
  { directory }: CommandContext,
  { base }: Call,
  { group, read, isWanted }: ShownGroup,
): object {
  const state = directory.record(provisionedGroupType, group.id);
  if (state === undefined) throw new Error(`the group ${group.id} does not exist`);
  return toResourceBody(groupSchema, state, { read, isWanted, base });
}

/** Returns a function that returns an attribute of a group. */
function readGroup(
  { directory }: CommandContext,
  group: ProvisionedGroup,
  membersOf: () => readonly string[],
): (attribute: string) => unknown {
  const toMember = (value: string) => {
    const display = directory.record('User', value)?.values['name'];
    return { value, display, type: 'User' };
  };
  return (name) =>
    name === 'members' ? membersOf().map(toMember) : readGroupAttribute(group, name);
}

const MAX_LISTED_MEMBERS = 20_000;

/** Ends a page early, which RFC 7644 allows, if its groups have many members. Returns at least one group. */
function boundMembers(
  groups: readonly ShownGroup[],
  countOf: (group: ShownGroup) => number,
): readonly ShownGroup[] {
  let listed = 0;
  const end = groups.findIndex((group) => {
    listed += countOf(group);
    return listed > MAX_LISTED_MEMBERS;
  });
  return end === -1 ? groups : groups.slice(0, Math.max(1, end));
}

function registerDescriptions(route: Route): void {
  route('GET', '/ServiceProviderConfig', async ({ reply }) =>
    sendScim(reply, serviceProviderConfig),
  );
  for (const [path, resources] of [
    ['/ResourceTypes', resourceTypes],
    ['/Schemas', schemaBodies],
  ] as const) {
    const bodies: readonly { readonly id?: unknown }[] = resources;
    route('GET', path, async ({ reply }) => sendScim(reply, toListBody(bodies.length, 1, bodies)));
    route('GET', `${path}/:id`, async ({ id, reply }) => {
      const found = bodies.find((one) => one.id === id);
      if (found !== undefined) return sendScim(reply, found);
      throw new Refusal('not_found', 'record.not_found', `${printable(id)} does not exist.`);
    });
  }
}

function readFilter({ query }: Call, schema: ResourceSchema) {
  const { filter } = query;
  return typeof filter === 'string' && filter.trim() !== '' ? parseFilter(filter, schema) : [];
}

function pageOf<Item>(items: readonly Item[], { startIndex, count }: ListQuery): readonly Item[] {
  return items.slice(startIndex - 1, startIndex - 1 + count);
}

function sendScim(reply: FastifyReply, body: object, status = 200): FastifyReply {
  return reply.code(status).header('content-type', mediaType).send(JSON.stringify(body));
}

function sendNothing(reply: FastifyReply): FastifyReply {
  return reply.code(NO_CONTENT).send();
}
