import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { toIds, toMap } from '../../../shared/http/read-action-parts.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import { type MergeDeps, mergeRecords } from '../actions/merge-records.ts';
import type { RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';
import { type CommandRouteDeps, readCommand } from './read-command.ts';
import { readConversion } from './read-conversion.ts';

/** Writes a record as other writes answer records. */
type Answer = (
  reply: FastifyReply,
  answered: {
    readonly request: FastifyRequest;
    readonly command: RoutedCommand;
    readonly answer: RoutedAnswer;
  },
) => Promise<FastifyReply>;

type Body = Readonly<Record<string, unknown>>;

interface AskedMerge {
  readonly entity: string;
  readonly id: unknown;
  readonly sourceIds: unknown;
  readonly attributes: unknown;
}

const maxSources = 50;

/**
 * Actions with one record (api-facts 6.3): merging others into it, in the present form and the one before, and bringing
 * its amounts into another currency.
 */
export function registerMergeRoutes(
  server: FastifyInstance,
  deps: CommandRouteDeps & MergeDeps,
  answer: Answer,
): void {
  server.post('/api/v1/Action', async (request, reply) => {
    await deps.authenticate(request);
    const body = requireObject(request.body);
    const action = readText(body['action'], 'action');
    const asked = {
      entity: readText(body['entityType'], 'entityType'),
      id: readText(body['id'], 'id'),
    };
    if (action !== 'merge') {
      const data = readMap(body['data'] ?? {}, 'data');
      const command = await readConversion(deps, request, { ...asked, action, data });
      return answer(reply, { request, command, answer: await deps.route(command) });
    }
    const { sourceIdList, attributes } = readMap(body['data'], 'data');
    return merge({ ...asked, sourceIds: sourceIdList, attributes }, { request, reply });
  });

  server.post<{ Params: { readonly entity: string } }>(
    '/api/v1/:entity/action/merge',
    async (request, reply) => {
      await deps.authenticate(request);
      const { targetId, sourceIds, attributes, attributeMap } = requireObject(request.body);
      const { entity } = request.params;
      const chosen = attributes ?? attributeMap;
      return merge({ entity, id: targetId, sourceIds, attributes: chosen }, { request, reply });
    },
  );

  async function merge(
    { entity, id, sourceIds, attributes }: AskedMerge,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<FastifyReply> {
    const targetId = readText(id, 'targetId');
    const asked = { action: 'merge', body: request.body, id: targetId, entity } as const;
    const command = await readCommand(deps, request, asked);
    const chosen = readMap(attributes ?? {}, 'attributes');
    const named = { ...command, id: targetId, body: chosen };
    const merging = { command: named, sourceIds: readIds(sourceIds, targetId), attributes: chosen };
    return answer(reply, { request, command: named, answer: await mergeRecords(merging, deps) });
  }
}

function readIds(ids: unknown, targetId: string): readonly string[] {
  const unique = toIds(ids) ?? [];
  if (unique.length === 0) throw badMerge('The ids of the sources have to be a list of ids.');
  if (unique.includes(targetId)) throw badMerge('A record cannot be merged into itself.');
  if (unique.length <= maxSources) return unique;
  throw badMerge(`At most ${maxSources} records can be merged into another one.`);
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw badMerge(`'${name}' is missing.`);
}

function readMap(value: unknown, name: string): Body {
  const read = toMap(value);
  if (read === undefined) throw badMerge(`'${name}' has to be an object.`);
  return read;
}

function badMerge(message: string): Refusal {
  return new Refusal('invalid', 'merge.body', message);
}
