import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { conversionTargets } from '../../../shared/domain/entity/stock/lead.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { describeRoute, noContent } from '../../../shared/http/describe/describe-route.ts';
import { givenValues, withBody, written } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { anything, flag, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { copyFiles } from '../files/copy-files.ts';
import { readCommand } from '../http/read-command.ts';
import { toBodyAsRead } from '../http/record-body.ts';
import { answerRecord } from '../http/send-written.ts';
import type { Command } from '../owner/command.ts';
import { convertCommand } from './conversion-commands.ts';
import { convertAttributes } from './convert-attributes.ts';
import { convertLead } from './convert-lead.ts';

/** Registers the routes for lead conversion (docs/reference/actions.md#leads). */
export function registerLeadRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post('/api/v1/Lead/action/convert', convert, async (request, reply) => {
    const command = await readLeadCommand(context, request);
    const answer = await convertLead(command, context);
    return answerRecord(context, reply, { request, command, answer });
  });

  server.post(
    '/api/v1/Lead/action/getConvertAttributes',
    readAttributes,
    async (request, reply) => {
      const command = await readLeadCommand(context, request);
      const { actor, model } = command;
      requireScope(actor, 'Lead', 'read');
      const state = live(await context.readState(model, command.id), command.id);
      requireRecordAccess(actor, 'read', { ...state, model });
      // The body sets no links, so linked records of the lead are shown only to users who may read them.
      const lead = await toBodyAsRead(context, { ...command, body: {} }, state);
      const attributes = convertAttributes({ actor, model, lead }, context.directory.entity);
      for (const [name, values] of Object.entries(attributes)) {
        const target = context.directory.entity(name);
        if (target === undefined) continue;
        Object.assign(attributes, {
          [name]: await copyFiles(command, { target, values }, context),
        });
      }
      return sendJson(reply, attributes);
    },
  );
}

/** Builds a command for the lead whose id is in the body. */
async function readLeadCommand(
  context: CommandContext,
  request: FastifyRequest,
): Promise<Command & { readonly id: string }> {
  const id = textIn(request.body, 'id');
  const input = { command: convertCommand, body: request.body, entity: 'Lead' };
  const command = await readCommand(context, request, { ...input, id });
  if (id !== '') return { ...command, id };
  throw new Refusal('invalid', 'lead.id', "'id' must be the id of a lead.");
}

/** The records in a conversion, by entity type. The OpenAPI document lists only entity types that it describes. */
const becomes = (schemaOf: (entityType: string) => Part): Part => ({
  type: 'object',
  additionalProperties: false,
  properties: {
    'x-by-type': true,
    ...Object.fromEntries(conversionTargets.map((target) => [target, schemaOf(target)])),
  },
});

const convert = describeRoute({
  id: 'Lead_convert',
  tag: 'Lead',
  summary: 'Convert a lead into other records',
  parameters: ['Idempotency-Key', 'If-Match', 'Prefer'],
  body: objectOf(
    {
      id,
      records: becomes((target) => refer('schemas', `${target}_create`)),
      skipDuplicateCheck: flag,
    },
    ['id', 'records'],
  ),
  answer: refer('schemas', 'Lead'),
  headers: writeHeaders,
  errors: [
    ...written,
    ...givenValues,
    'lead.id',
    'lead.records',
    'record.duplicate',
    'record.not_found',
    'record.version_differs',
  ],
  more: noContent,
});

const readAttributes = describeRoute({
  id: 'Lead_getConvertAttributes',
  tag: 'Lead',
  summary: 'Read initial values for the records of a conversion',
  body: objectOf({ id }),
  answer: becomes(() => anything),
  errors: [...withBody, 'access.denied', 'file.quota', 'lead.id', 'record.not_found'],
});
