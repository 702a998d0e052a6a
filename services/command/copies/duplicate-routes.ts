import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { withBody } from '../../../shared/http/describe/error-lists.ts';
import { anything, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { copyFiles } from '../files/copy-files.ts';
import { toBodyAsRead } from '../http/record-body.ts';
import { readNamed } from '../records/restore.ts';
import { errorsOfNamed } from '../records/route-parts.ts';
import { unknownAction } from '../records/unknown-action.ts';
import { duplicateAttributes, hasCopies } from './duplicate-attributes.ts';

/** Registers the route for initial values of a copy (docs/reference/actions.md#copies). */
export function registerDuplicateRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: { readonly entity: string } }>(
    '/api/v1/:entity/action/getDuplicateAttributes',
    readDuplicateAttributes,
    async (request, reply) => {
      const command = await readNamed(context, request);
      const { actor, model, id } = command;
      if (!hasCopies(model)) throw unknownAction(model, 'getDuplicateAttributes');
      requireScope(actor, model.name, 'read');
      requireScope(actor, model.name, 'create');
      const state = live(await context.readState(model, id), id);
      requireRecordAccess(actor, 'read', { ...state, model });
      // The body sets no links, so linked records are shown only to users who may read them.
      const record = await toBodyAsRead(context, { ...command, body: {} }, state);
      const values = duplicateAttributes({ actor, model, record });
      return sendJson(reply, await copyFiles(command, { target: model, values }, context));
    },
  );
}

const readDuplicateAttributes = describeRoute({
  id: 'duplicateAttributesOf{entity}',
  tag: '{entity}',
  summary: 'Read initial values for a copy of a record of {entity}',
  body: objectOf({ id }),
  answer: anything,
  errors: [...withBody, ...errorsOfNamed, 'access.denied', 'file.quota', 'record.not_found'],
  expand: { isFor: hasCopies },
});
