import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { BaseContext } from '../context.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { createCommand } from '../records/create.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { editable, readNewValues } from '../records/input/read-values.ts';
import { updateCommand } from '../records/update.ts';
import type { ImportPlan } from './import-plan.ts';

export type RowOutcome = 'created' | 'updated' | 'unchanged' | 'skipped';

/** A row as the body of a write. */
export interface PreparedRow {
  readonly index: number;
  readonly body: JsonObject;
  /** The record to update. */
  readonly matchId: string | undefined;
  /** True if the row may not become a new record. */
  readonly needsMatch: boolean;
}

export interface RowWriting {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly plan: ImportPlan;
  readonly commandId: string;
  /** True unless the log may have the command. */
  readonly isFirstAttempt: boolean;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

/** Creates or updates the record of a row. A dry run makes the same decision, but appends nothing. */
export async function writeRow(
  row: PreparedRow,
  writing: RowWriting,
  context: BaseContext,
): Promise<RowOutcome> {
  const { actor, model, plan } = writing;
  const { body, matchId, needsMatch } = row;
  if (matchId !== undefined) return updateRow({ id: matchId, body }, writing, context);
  if (needsMatch) {
    throw new Refusal('not_found', 'import.no_match', 'No record has the values of this row.');
  }
  if (plan.duplicates !== 'create') {
    const values = await readNewValues({ actor, model, body }, context);
    const [duplicate] = await context.findDuplicates({ actor, model, values });
    if (duplicate !== undefined && plan.duplicates === 'skip') return 'skipped';
    if (duplicate !== undefined) {
      return updateRow({ id: String(duplicate['id']), body }, writing, context);
    }
  }
  if (plan.isDryRun) await readNewValues({ actor, model, body }, context);
  else {
    const conditions = { skipDuplicateCheck: true };
    await context.sender.send(createCommand, { ...toCommand(writing), body, conditions });
  }
  return 'created';
}

async function updateRow(
  { id, body }: { readonly id: string; readonly body: JsonObject },
  writing: RowWriting,
  context: BaseContext,
): Promise<RowOutcome> {
  const { actor, model, plan } = writing;
  if (!plan.isDryRun) {
    const command = { ...toCommand(writing), id, body, conditions: {} };
    const { changed, isReplay } = await context.sender.send(updateCommand, command);
    return changed.length > 0 || isReplay ? 'updated' : 'unchanged';
  }
  const current = live(await context.readState(model, id), id);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links = await context.resolveLinks({ model, values, actor });
  const update = { actor, model, conditions: {}, values, problems, links };
  const after = deriveUpdate(current, update, context);
  return decideChange(model, current, after, context.now()) === undefined ? 'unchanged' : 'updated';
}

function toCommand({ actor, model, commandId, deadline, isFirstAttempt }: RowWriting) {
  const identity = { commandId, commandHash: commandId };
  return { actor, model, ...identity, deadline, untilReadable: false, isFirstAttempt };
}
