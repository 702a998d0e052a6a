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
import type { JsonObject } from '../owner/read-body.ts';
import { sendPlanned } from '../owner/send-planned.ts';
import type { Command, CommandAnswer } from '../owner/send-to-owner.ts';
import type { CreateRequest, Executed } from '../owner/write-request.ts';
import type { InputReads } from './input/creation-checks.ts';
import { duplicateFound } from './input/find-duplicates.ts';
import { readNewValues } from './input/read-values.ts';
import {
  foreignLinksIn,
  type LinkForeignDeps,
  linkForeign,
  requireLinkable,
} from './link-foreign.ts';
import { appendNumbered, hasNumbers, type NumberedDeps } from './numbers/append-numbered.ts';
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
  deps: LinkForeignDeps,
  plan: () => JsonObject | Promise<JsonObject>,
): Promise<CommandAnswer> {
  const links = foreignLinksIn(command, deps.directory.entity);
  const made = await sendPlanned(deps, createCommand, {
    ...command,
    async plan() {
      // First: a copy learns from it which steps are left, also of a repeat whose links are refused by now.
      const body = await plan();
      if (links.length > 0) await requireLinkable(command, links, deps);
      return body;
    },
    // The name in a link comes from the read model.
    untilReadable: links.length > 0 || command.untilReadable,
  });
  await linkForeign(command, { links, newId: made.state.id }, deps);
  return made;
}

export interface CreateDeps extends Omit<InputReads, 'requireEditable'>, NumberedDeps {
  /** The next partition among those that this instance owns. */
  readonly nextPartition: () => number;
}

/** Decides a creation, at the owner. */
export async function executeCreate(request: CreateRequest, deps: CreateDeps): Promise<Executed> {
  const { actor, model, place, conditions } = request;
  requireScope(actor, model.name, 'create');
  const values = { ...(await readNewValues(request, deps)), ...request.facts };
  const duplicates =
    conditions.skipDuplicateCheck === true
      ? []
      : await deps.findDuplicates({ actor, model, values });
  const decide = (state: RecordState | undefined, numbers: AttributeValues = {}) => {
    // Refused here and not before: a repeat is not decided, and would find the record that it created itself.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    return decideCreate(state, { ...values, ...numbers }, emptyValues(model));
  };
  if (hasNumbers(model)) return appendNumbered(request, decide, deps);
  const id = place?.id ?? deps.newIdIn(place?.partition ?? deps.nextPartition());
  return deps.append(request, { id, isCreation: true, decide: (state) => decide(state) });
}
