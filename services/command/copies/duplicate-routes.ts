import type { FastifyInstance } from 'fastify';
import { type Actor, mayEditField, requireScope } from '../../../shared/domain/access/actor.ts';
import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type FieldDefinition,
  fieldTypeOf,
  isCounted,
} from '../../../shared/domain/field/field-types.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { withBody } from '../../../shared/http/describe/error-lists.ts';
import { anything, id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { copyFiles } from '../files/copy-files.ts';
import { readNamed } from '../http/read-command.ts';
import { toBodyAsRead } from '../http/record-body.ts';
import { restoreCommand } from '../records/restore.ts';
import { errorsOfNamed, unknownAction } from '../records/route-parts.ts';

/** Registers the route that returns the initial values of a copy (docs/reference/actions.md#copies). */
export function registerDuplicateRoutes(server: FastifyInstance, context: CommandContext): void {
  server.post<{ Params: { readonly entity: string } }>(
    '/api/v1/:entity/action/getDuplicateAttributes',
    readDuplicateAttributes,
    async (request, reply) => {
      const command = await readNamed(context, request, restoreCommand);
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

/** Returns true if records of the entity type can be copied. */
function hasCopies({ definition }: EntityModel): boolean {
  return definition.isObject && definition.log === 'records';
}

/**
 * Returns initial values for a copy of a record (docs/reference/actions.md#copies): all values that the actor may set
 * in a new record, with the names of linked records. `record` contains only values that the actor may see.
 */
export function duplicateAttributes({
  actor,
  model,
  record,
}: {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly record: AttributeValues;
}): AttributeValues {
  const copied = new Set(
    [...model.fields]
      .filter(([name, field]) => isCopied(field) && mayEditField(actor, model, name))
      .map(([name]) => name),
  );
  return Object.fromEntries(
    model.attributes
      .filter(({ field, name }) => copied.has(field) && Object.hasOwn(record, name))
      .map(({ name }) => [name, record[name] ?? null]),
  );
}

/**
 * E-mail addresses and phone numbers identify a person, and record numbers are unique, so these fields are not copied.
 */
function isCopied(field: FieldDefinition): boolean {
  const { isIdentifying, isSecret } = fieldTypeOf(field);
  if (field.readOnly === true || field.notStored === true || isCounted(field)) return false;
  return isIdentifying !== true && isSecret !== true;
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
