import type { FastifyInstance } from 'fastify';
import { hideClosed } from '../../../shared/domain/access/hide-closed.ts';
import { openedFor, showSecrets } from '../../../shared/domain/access/opened-for.ts';
import { seesStream } from '../../../shared/domain/access/stream-access.ts';
import { namesIn } from '../../../shared/domain/directory/names-in.ts';
import { showLastAccess } from '../../../shared/domain/directory/show-last-access.ts';
import { perModel } from '../../../shared/domain/entity/per-model.ts';
import { convertAmounts } from '../../../shared/domain/field/convert-amounts.ts';
import { ratesIn } from '../../../shared/domain/field/currency-rates.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import {
  type FollowingFacts,
  noFollowing,
  toFollowing,
} from '../../../shared/domain/stream/following.ts';
import type { ConvertDeps } from '../actions/convert-lead.ts';
import type { LinkNewDeps } from '../actions/link-new-record.ts';
import type { MergeDeps } from '../actions/merge-records.ts';
import { type RestoreDeps, unknownAction } from '../actions/restore-record.ts';
import type { RoutedCommand } from '../forward/route-commands.ts';
import { type AttachmentRouteDeps, registerAttachmentRoutes } from './attachment-routes.ts';
import { createCopy } from './create-copy.ts';
import { registerCurrencyRoutes } from './currency-routes.ts';
import { registerDefinitionRoutes } from './definition-routes.ts';
import { registerLeadRoutes } from './lead-routes.ts';
import { registerLinkRoutes } from './link-routes.ts';
import { type MassActionRouteDeps, registerMassActionRoutes } from './mass-action-routes.ts';
import { registerMergeRoutes } from './merge-routes.ts';
import { registerNoteRoutes } from './note-routes.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { registerRecordActionRoutes } from './record-action-routes.ts';
import { sendWritten } from './send-written.ts';
import { registerStreamRoutes, type StreamRouteDeps } from './stream-routes.ts';
import { registerTeamRoutes } from './team-routes.ts';
import { tellChangedLinks } from './tell-changed-links.ts';

type EntityParams = { readonly entity: string };
type RecordParams = EntityParams & { readonly id: string };

/** Every route under /api/v1 that writes. */
export function registerCommandRoutes(
  server: FastifyInstance,
  deps: StreamRouteDeps &
    ConvertDeps &
    MassActionRouteDeps &
    MergeDeps &
    RestoreDeps &
    LinkNewDeps &
    AttachmentRouteDeps,
): void {
  registerMassActionRoutes(server, deps);
  registerLeadRoutes(server, deps, (command, state) => toBodyAsRead(deps, command, state));
  registerMergeRoutes(server, deps, async (reply, { request, command, answer }) =>
    sendWritten(reply, { request, answer, body: await toBodyAsRead(deps, command, answer.state) }),
  );
  registerRecordActionRoutes(server, deps, {
    send: sendWritten,
    toBody: (command, state) => toBodyAsRead(deps, command, state),
  });
  registerAttachmentRoutes(server, deps, (reply, { request, command, answer }) =>
    sendWritten(reply, { request, answer, body: toBody(deps, command, answer.state) }),
  );

  server.post<{ Params: EntityParams }>('/api/v1/:entity', async (request, reply) => {
    const { entity } = request.params;
    const asked = { action: 'create', body: request.body, entity } as const;
    const command = await readCommand(deps, request, asked);
    const answer = await createCopy(request, command, deps);
    if (command.model.name === 'Webhook') void reply.code(201);
    const facts = { ...ownersOf(answer.state), subscriptions: [] };
    const body = withFollowing(deps, command, { state: answer.state, facts });
    return sendWritten(reply, { request, answer, body });
  });

  server.route<{ Params: RecordParams }>({
    method: ['PUT', 'PATCH'],
    url: '/api/v1/:entity/:id',
    handler: async (request, reply) => {
      const asked = { action: 'update', body: request.body, ...request.params } as const;
      const command = await readCommand(deps, request, asked);
      const answer = await deps.route(command);
      const body = await toBodyAsRead(deps, command, answer.state);
      tellChangedLinks(reply, command, answer);
      return sendWritten(reply, { request, answer, body });
    },
  });

  registerNoteRoutes(server, deps);
  registerCurrencyRoutes(server, deps);
  registerLinkRoutes(server, deps);
  registerStreamRoutes(server, deps);
  registerTeamRoutes(server, deps);
  registerDefinitionRoutes(server, deps);

  server.delete<{ Params: RecordParams }>('/api/v1/:entity/:id', async (request, reply) => {
    const asked = { action: 'remove', body: {}, ...request.params } as const;
    const command = await readCommand(deps, request, asked);
    const answer = await deps.route(command);
    return sendWritten(reply, { request, answer, body: true });
  });

  server.post<{ Params: { readonly id: string } }>(
    '/api/v1/Webhook/:id/rotateSecret',
    async (request, reply) => {
      const { id } = request.params;
      const asked = { action: 'rotate-secret', body: request.body ?? {}, id } as const;
      const command = await readCommand(deps, request, { ...asked, entity: 'Webhook' });
      const answer = await deps.route(command);
      return sendWritten(reply, { request, answer, body: toBody(deps, command, answer.state) });
    },
  );

  server.post<{ Params: EntityParams & { readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    async (request, reply) => {
      const { action, entity } = request.params;
      const command = await readCommand(deps, request, { action: 'run-queue', body: {}, entity });
      if (command.model.name !== 'Webhook' || action !== 'processQueue') {
        throw unknownAction(command.model, action);
      }
      const answer = await deps.route({ ...command, untilReadable: false });
      return sendWritten(reply, { request, answer, body: true });
    },
  );
}

function toBody(
  { directory, openSecret }: CommandRouteDeps,
  { model, actor, body: sent }: RoutedCommand,
  state: RecordState,
) {
  const { values } = state;
  const written = toRecordBody(model, state, namesIn(directory));
  const body: Record<string, AttributeValue> = {
    ...convertAmounts(model, { after: written, current: null }, ratesIn(directory)),
  };
  for (const name of countedWhenRead(model)) delete body[name];
  showLastAccess(model.name, [body], directory);
  showSecrets(body, { model, opened: openedFor(actor, model), values }, openSecret);
  return hideClosed(body, { actor, model, sent }, directory.entity);
}

/** How many there are of a link is counted where it is read. */
const countedWhenRead = perModel(({ fields }): readonly string[] =>
  [...fields].filter(([, { counts }]) => counts !== undefined).map(([name]) => name),
);

/** The record after a change, with who follows it now: no event of the record tells. */
async function toBodyAsRead(
  deps: StreamRouteDeps,
  command: RoutedCommand,
  state: RecordState,
): Promise<Body> {
  const { model, untilReadable } = command;
  const isAsked = model.definition.hasStream === true && untilReadable;
  const facts = isAsked ? await deps.readFollowing(model, state.id) : undefined;
  return withFollowing(deps, command, { state, facts });
}

type Body = Readonly<Record<string, AttributeValue>>;

/** Without facts, since nobody waits for the database, nothing is said about it. */
function withFollowing(
  deps: CommandRouteDeps,
  command: RoutedCommand,
  { state, facts }: { readonly state: RecordState; readonly facts: FollowingFacts | undefined },
): Body {
  const body = toBody(deps, command, state);
  const { actor, model } = command;
  if (model.definition.hasStream !== true) return body;
  const nameOf = (id: string) => namesIn(deps.directory)('User', id);
  if (facts === undefined) {
    const { isFollowed: _, ...others } = body;
    return others;
  }
  const isOpen = seesStream(actor, model, state);
  return Object.assign(body, isOpen ? toFollowing(facts, { actor, model }, nameOf) : noFollowing);
}

function ownersOf({ values }: RecordState): Omit<FollowingFacts, 'subscriptions'> {
  return {
    createdById: toText(values['createdById']),
    assignedUserId: toText(values['assignedUserId']),
  };
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
