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
import type { Command, CommandAnswer } from '../forwarding/send-to-owner.ts';
import type { CreateRequest, Executed } from '../forwarding/write-request.ts';
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

/**
 * Creates a record. All checks come before the creation. A request that is repeated under its Idempotency-Key does the
 * remaining steps.
 */
export async function createRecord(
  command: Command,
  deps: LinkForeignDeps,
): Promise<CommandAnswer> {
  const links = foreignLinksIn(command, deps.directory.entity);
  if (links.length === 0) return deps.sendToOwner(createCommand, command);
  if (!(await wasMade(command, deps))) await requireLinkable(command, links, deps);
  // The name in the link comes from the read model.
  const made = await deps.sendToOwner(createCommand, { ...command, untilReadable: true });
  await linkForeign(command, { links, newId: made.state.id }, deps);
  return made;
}

/** Whether an earlier attempt of the request has created the record. A repeat would find links that it made itself. */
export async function wasMade(
  { actor, commandId, deadline }: Command,
  { untilCaughtUp, isDone }: LinkForeignDeps,
): Promise<boolean> {
  if (commandId === null) return false;
  await untilCaughtUp(deadline);
  return isDone(actor.id, commandId);
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
