/**
 * Creation of a record.
 *
 * The instance that the client asked checks the records that are to hold a link to the new one, and sends the command to
 * an owner. Once reads see the new record, it links those records with it.
 * The owner checks access, input, links and duplicates, then appends the decision to the log.
 */

import { requireScope } from '../../../shared/domain/access/actor.ts';
import { decideCreate } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { emptyValues } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { CommandContext } from '../context.ts';
import { append } from '../owner/append.ts';
import type { Command, CommandAnswer, Executed, WriteRequest } from '../owner/command.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { duplicateFound } from './input/find-duplicates.ts';
import { readNewValues } from './input/read-values.ts';
import { foreignLinksIn, linkForeign, requireLinkable } from './link-foreign.ts';
import { appendNumbered, hasNumbers } from './numbers/append-numbered.ts';
import { createCommand } from './record-commands.ts';

/** The record that is copied, and the client's body for the copy, or its refusal. */
export interface Copying {
  readonly sourceId: string;
  readonly readBody: () => JsonObject;
}

/**
 * Creates a record. All checks come before the creation. A request that is repeated under its Idempotency-Key does the
 * remaining steps. `plan` answers the body to send, or refuses the request.
 */
export async function createRecord(
  command: Command,
  context: CommandContext,
  plan: () => JsonObject | Promise<JsonObject>,
): Promise<CommandAnswer> {
  const links = foreignLinksIn(command, context.directory.entity);
  const made = await context.sender.sendPlanned(createCommand, {
    ...command,
    async plan() {
      // First: a copy learns from it which steps are left, also of a repeat whose links are refused by now.
      const body = await plan();
      if (links.length > 0) await requireLinkable(command, links, context);
      return body;
    },
    // The name in a link comes from the read model.
    untilReadable: links.length > 0 || command.untilReadable,
  });
  await linkForeign(command, { links, newId: made.state.id }, context);
  return made;
}

/** Decides a creation, at the owner. */
export async function executeCreate(
  request: WriteRequest,
  context: CommandContext,
): Promise<Executed> {
  const { actor, model, place, conditions } = request;
  requireScope(actor, model.name, 'create');
  const values = { ...(await readNewValues(request, context)), ...request.facts };
  const duplicates =
    conditions.skipDuplicateCheck === true
      ? []
      : await context.findDuplicates({ actor, model, values });
  const decide = (state: RecordState | undefined, numbers: AttributeValues = {}) => {
    // Refused here and not before: a repeat is not decided, and would find the record that it created itself.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    return decideCreate(state, { ...values, ...numbers }, emptyValues(model));
  };
  if (hasNumbers(model)) return appendNumbered(request, decide, context);
  const id = place?.id ?? context.newIdIn(place?.partition ?? context.nextPartition());
  return append(context, request, { id, isCreation: true, decide: (state) => decide(state) });
}
