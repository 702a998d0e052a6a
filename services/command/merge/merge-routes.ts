import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isMergeable } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { changed } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import {
  anything,
  ids,
  id as nonEmpty,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { requireObject, toIds, toMap } from '../../../shared/http/require-object.ts';
import type { CommandContext } from '../context.ts';
import { convertCurrencyCommand } from '../currency/currency-commands.ts';
import { planConversion, requireSingleAction } from '../currency/plan-conversion.ts';
import { readCommand } from '../http/read-command.ts';
import { answerRecord } from '../http/send-written.ts';
import { mergeCommand } from './merge-commands.ts';
import { mergeRecords } from './merge-records.ts';

type Body = Readonly<Record<string, unknown>>;

interface MergeInput {
  readonly entity: string;
  readonly id: unknown;
  readonly sourceIds: unknown;
  readonly attributes: unknown;
}

const MAX_SOURCES = 50;

/**
 * Registers the routes for actions on one record: merging other records into it (docs/reference/actions.md#merging),
 * under both of the paths that clients use, and converting its amounts to another currency.
 */
export function registerMergeRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post('/api/v1/Action', recordAction, async (request, reply) => {
    await context.authenticate(request);
    const body = requireObject(request.body);
    const action = readText(body['action'], 'action');
    const target = {
      entity: readText(body['entityType'], 'entityType'),
      id: readText(body['id'], 'id'),
    };
    if (action !== 'merge') {
      const data = readMap(body['data'] ?? {}, 'data');
      requireSingleAction(action);
      const sent = { ...target, command: convertCurrencyCommand, body: request.body };
      const read = await readCommand(context, request, sent);
      const plan = () => planConversion({ ...read, action, data }, context.directory);
      const answer = await context.sender.sendPlanned(convertCurrencyCommand, { ...read, plan });
      return answerRecord(context, reply, { request, command: { ...read, body: {} }, answer });
    }
    const { sourceIdList, attributes } = readMap(body['data'], 'data');
    return merge({ ...target, sourceIds: sourceIdList, attributes }, { request, reply });
  });

  server.post<{ Params: { readonly entity: string } }>(
    '/api/v1/:entity/action/merge',
    mergeInto,
    async (request, reply) => {
      await context.authenticate(request);
      const { targetId, sourceIds, attributes, attributeMap } = requireObject(request.body);
      const { entity } = request.params;
      const chosen = attributes ?? attributeMap;
      return merge({ entity, id: targetId, sourceIds, attributes: chosen }, { request, reply });
    },
  );

  async function merge(
    { entity, id, sourceIds, attributes }: MergeInput,
    { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
  ): Promise<FastifyReply> {
    const targetId = readText(id, 'targetId');
    const input = { command: mergeCommand, body: request.body, id: targetId, entity };
    const read = await readCommand(context, request, input);
    const body = readMap(attributes ?? {}, 'attributes');
    const command = { ...read, id: targetId, body };
    const merging = { command, sourceIds: readIds(sourceIds, targetId) };
    const answer = await mergeRecords(merging, context);
    return answerRecord(context, reply, { request, command, answer });
  }
}

function readIds(ids: unknown, targetId: string): readonly string[] {
  const unique = toIds(ids) ?? [];
  if (unique.length === 0)
    throw badMerge('The ids of the sources must be a non-empty list of ids.');
  if (unique.includes(targetId)) throw badMerge('A record cannot be merged into itself.');
  if (unique.length <= MAX_SOURCES) return unique;
  throw badMerge(`At most ${MAX_SOURCES} records can be merged into another one.`);
}

function readText(value: unknown, name: string): string {
  if (typeof value === 'string' && value !== '') return value;
  throw badMerge(`'${name}' is missing.`);
}

function readMap(value: unknown, name: string): Body {
  const read = toMap(value);
  if (read === undefined) throw badMerge(`'${name}' must be an object.`);
  return read;
}

function badMerge(message: string): Refusal {
  return new Refusal('invalid', 'merge.body', message);
}

const parameters = ['Idempotency-Key', 'If-Match', 'Prefer', 'X-Version-Number'] as const;
const errors = [...changed, 'merge.body', 'merge.not_allowed', 'merge.under_way'] as const;
const sources = { ...ids, minItems: 1, maxItems: MAX_SOURCES };
const attributes = { ...anything, description: 'New values of the target.' };

const recordAction = describeRoute({
  id: 'Action_merge',
  tag: 'Several records',
  summary: 'Merge records into another one of their type, or convert amounts',
  parameters,
  body: objectOf(
    {
      entityType: nonEmpty,
      id: nonEmpty,
      action: { enum: ['merge', 'convertCurrency', 'lock', 'unlock'] },
      data: {
        type: 'object',
        properties: {
          sourceIdList: { ...sources, description: 'The sources of a merge.' },
          attributes,
          targetCurrency: {
            ...text,
            description: 'The currency that all amounts of the record are converted to.',
            examples: ['USD'],
          },
        },
      },
    },
    ['entityType', 'id', 'action'],
  ),
  answer: anything,
  headers: writeHeaders,
  errors: [...errors, 'action.unknown', 'mass_action.data', 'mass_action.not_allowed'],
});

const mergeInto = describeRoute({
  id: '{entity}_merge',
  tag: '{entity}',
  summary: 'Merge records of {entity} into another one',
  parameters,
  body: objectOf({ targetId: nonEmpty, sourceIds: sources, attributes }, ['targetId', 'sourceIds']),
  answer: refer('schemas', '{entity}'),
  headers: writeHeaders,
  errors,
  expand: { isFor: ({ definition }) => isMergeable(definition) },
});
