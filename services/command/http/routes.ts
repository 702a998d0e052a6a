import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toRecordBody } from '../../../shared/domain/record/to-record-body.ts';
import { resolveEntity } from '../../../shared/http/entity-segment.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { RecordCommands, WriteRequest } from '../commands/record-commands.ts';

export interface CommandRouteDeps {
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly records: RecordCommands;
  readonly webhooks: RecordCommands;
  readonly processQueue: (actor: Actor) => Promise<void>;
  readonly openSecret: (sealed: string) => string;
}

type EntityParams = { readonly entity: string };
type RecordParams = EntityParams & { readonly id: string };

/** Every route under /api/v1 that writes. */
export function registerCommandRoutes(server: FastifyInstance, deps: CommandRouteDeps): void {
  server.post<{ Params: EntityParams }>('/api/v1/:entity', async (request, reply) => {
    const { commands, write } = await begin(deps, request);
    const state = await commands.create(write);
    if (write.model.name === 'Webhook') void reply.code(201);
    return answer(reply, write, toBody(deps, write, state));
  });

  for (const method of ['PUT', 'PATCH'] as const) {
    server.route<{ Params: RecordParams }>({
      method,
      url: '/api/v1/:entity/:id',
      handler: async (request, reply) => {
        const { commands, write } = await begin(deps, request);
        const state = await commands.update({ ...write, id: request.params.id });
        return answer(reply, write, toBody(deps, write, state));
      },
    });
  }

  server.delete<{ Params: RecordParams }>('/api/v1/:entity/:id', async (request, reply) => {
    const { commands, write } = await begin(deps, request, {});
    await commands.remove({ ...write, id: request.params.id });
    return answer(reply, write, true);
  });

  server.post<{ Params: EntityParams & { readonly action: string } }>(
    '/api/v1/:entity/action/:action',
    async (request) => {
      const actor = await deps.authenticate(request);
      const model = resolveEntity(deps.directory, request.params.entity);
      const { action } = request.params;
      if (model.name !== 'Webhook' || action !== 'processQueue') {
        throw new Refusal(
          'not_found',
          'action.unknown',
          `Action POST '${printable(action)}' does not exist in ${model.name}.`,
        );
      }
      await deps.processQueue(actor);
      return true;
    },
  );
}

async function begin(
  deps: CommandRouteDeps,
  request: FastifyRequest<{ Params: EntityParams }>,
  body: unknown = request.body,
): Promise<{ readonly commands: RecordCommands; readonly write: WriteRequest }> {
  const actor = await deps.authenticate(request);
  const model = resolveEntity(deps.directory, request.params.entity);
  const write = {
    actor,
    model,
    body: requireObject(body),
    correlationId: null,
    untilReadable: !prefers(request, 'respond-async'),
  };
  return { commands: commandsFor(deps, model), write };
}

function commandsFor({ records, webhooks }: CommandRouteDeps, model: EntityModel): RecordCommands {
  if (model.name === 'Webhook') return webhooks;
  if (model.definition.log === 'records') return records;
  throw new Refusal(
    'forbidden',
    'entity.not_writable',
    `${model.name} cannot be changed through the API.`,
  );
}

/** RFC 7240: preferences in a comma list, each with optional parameters. */
function prefers(request: FastifyRequest, preference: string): boolean {
  const { prefer } = request.headers;
  if (prefer === undefined) return false;
  return [prefer]
    .flat()
    .flatMap((header) => header.split(','))
    .some((one) => one.split(';')[0]?.trim().toLowerCase() === preference);
}

/** `true` must go out as JSON text: Fastify sends a bare boolean only when it serialises it itself. */
function answer(reply: FastifyReply, write: WriteRequest, body: unknown): FastifyReply {
  if (!write.untilReadable) void reply.header('Preference-Applied', 'respond-async');
  return reply.header('Content-Type', 'application/json').send(JSON.stringify(body));
}

function toBody(
  { directory, openSecret }: CommandRouteDeps,
  { model, actor }: WriteRequest,
  state: RecordState,
) {
  const nameOf = (entityType: string, id: string) => {
    const name = directory.record(entityType, id)?.values['name'];
    return typeof name === 'string' ? name : undefined;
  };
  const body = toRecordBody(model, state, nameOf);
  if (model.name !== 'Webhook') return body;
  body['secretKey'] = openSecret(String(state.values['secretKey']));
  if (actor.type === 'admin') return body;
  const { userId: _, userName: __, ...visible } = body;
  return visible;
}

function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 50);
}
