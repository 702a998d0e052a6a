import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import { showWebhook } from '../../../shared/domain/webhook/show-webhook.ts';
import { resolveEntity } from '../../../shared/http/entity-segment.ts';
import { toEntityTag } from '../../../shared/http/entity-tag.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { CommandAction } from '../forward/forwarded-command.ts';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { hashRequest, readConditions, readIdempotencyKey } from './read-write-headers.ts';

export interface CommandRouteDeps {
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly route: RouteCommand;
  readonly openSecret: (sealed: string) => string;
  /** How long a write may take. */
  readonly timeoutMs: number;
  readonly now: () => number;
}

type EntityParams = { readonly entity: string };
type RecordParams = EntityParams & { readonly id: string };

/** Every route under /api/v1 that writes. */
export function registerCommandRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  server.post<{ Params: EntityParams }>('/api/v1/:entity', async (request, reply) => {
    const { entity } = request.params;
    const asked = { action: 'create', body: request.body, entity } as const;
    const command = await readCommand(deps, request, asked);
    const answer = await deps.route(command);
    if (command.model.name === 'Webhook') void reply.code(201);
    return send(reply, { request, answer, body: toBody(deps, command, answer.state) });
  });

  for (const method of ['PUT', 'PATCH'] as const) {
    server.route<{ Params: RecordParams }>({
      method,
      url: '/api/v1/:entity/:id',
      handler: async (request, reply) => {
        const asked = { action: 'update', body: request.body, ...request.params } as const;
        const command = await readCommand(deps, request, asked);
        const answer = await deps.route(command);
        return send(reply, { request, answer, body: toBody(deps, command, answer.state) });
      },
    });
  }

  server.delete<{ Params: RecordParams }>('/api/v1/:entity/:id', async (request, reply) => {
    const asked = { action: 'remove', body: {}, ...request.params } as const;
    const command = await readCommand(deps, request, asked);
    const answer = await deps.route(command);
    return send(reply, { request, answer, body: true });
  });

  server.post<{ Params: { readonly id: string } }>(
    '/api/v1/Webhook/:id/rotateSecret',
    async (request, reply) => {
      const { id } = request.params;
      const asked = { action: 'rotate-secret', body: request.body ?? {}, id } as const;
      const command = await readCommand(deps, request, { ...asked, entity: 'Webhook' });
      const answer = await deps.route(command);
      return send(reply, { request, answer, body: toBody(deps, command, answer.state) });
    },
  );

  server.post<{ Params: EntityParams & { readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    async (request, reply) => {
      const { action, entity } = request.params;
      const command = await readCommand(deps, request, { action: 'run-queue', body: {}, entity });
      if (command.model.name !== 'Webhook' || action !== 'processQueue') {
        throw new Refusal(
          'not_found',
          'action.unknown',
          `Action POST '${printable(action)}' does not exist in ${command.model.name}.`,
        );
      }
      const answer = await deps.route({ ...command, untilReadable: false });
      return send(reply, { request, answer, body: true });
    },
  );
}

interface Asked {
  /** As the path names it. */
  readonly entity: string;
  readonly action: CommandAction;
  readonly body: unknown;
  readonly id?: string;
}

async function readCommand(
  deps: CommandRouteDeps,
  request: FastifyRequest,
  { entity, ...asked }: Asked,
): Promise<RoutedCommand> {
  const { headers } = request;
  const actor = await deps.authenticate(request);
  const model = resolveEntity(deps.directory, entity);
  const body = requireObject(asked.body);
  if (asked.action !== 'run-queue') requireWritable(model);
  const commandId = readIdempotencyKey(headers);
  const { action, id } = asked;
  return {
    ...asked,
    actor,
    model,
    body,
    commandId,
    commandHash:
      commandId === null ? null : hashRequest({ action, entityType: model.name, id, body }),
    conditions: readConditions(headers),
    deadline: deps.now() + deps.timeoutMs,
    untilReadable: !prefers(headers['prefer'], 'respond-async'),
  };
}

function requireWritable({ name, definition }: EntityModel): void {
  if (name === 'Webhook' || definition.log === 'records') return;
  throw new Refusal(
    'forbidden',
    'entity.not_writable',
    `${name} cannot be changed through the API.`,
  );
}

/** RFC 7240: preferences in a comma list, each with optional parameters. */
function prefers(header: string | string[] | undefined, preference: string): boolean {
  return [header ?? '']
    .flat()
    .flatMap((one) => one.split(','))
    .some((one) => one.split(';')[0]?.replaceAll(/\s/g, '').toLowerCase() === preference);
}

interface Outgoing {
  readonly request: FastifyRequest;
  readonly answer: RoutedAnswer;
  readonly body: unknown;
}

/** `true` must go out as JSON text: Fastify sends a bare boolean only when it serialises it itself. */
function send(reply: FastifyReply, { request, answer, body }: Outgoing): FastifyReply {
  const { prefer } = request.headers;
  const applied = ['respond-async', 'return=minimal'].filter((one) => prefers(prefer, one));
  if (applied.length > 0) void reply.header('Preference-Applied', applied.join(', '));
  if (answer.isReplay) void reply.header('Idempotency-Replayed', 'true');
  if (!answer.state.deleted) void reply.header('ETag', toEntityTag(answer.state.version));
  if (applied.includes('return=minimal')) return reply.code(204).send();
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}

function toBody(
  { directory, openSecret }: CommandRouteDeps,
  { model, actor }: RoutedCommand,
  state: RecordState,
) {
  const nameOf = (entityType: string, id: string) => {
    const name = directory.record(entityType, id)?.values['name'];
    return typeof name === 'string' ? name : undefined;
  };
  const body = toRecordBody(model, state, nameOf);
  if (model.name !== 'Webhook') return body;
  showWebhook(body, { sealedHeaders: null, ...state.values }, openSecret);
  if (actor.type === 'admin') return body;
  const { userId: _, userName: __, ...visible } = body;
  return visible;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 50);
}
