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
import { type Conversion, convertRow } from './convert-row.ts';
import type { ImportWork, MatchedRow } from './prepare-rows.ts';

/** The write that a row leads to. Decided once, because a second decision would find the record that the first one created. */
export type RowDecision =
  | { readonly kind: 'create'; readonly body: JsonObject; readonly isDuplicate: boolean }
  | { readonly kind: 'update'; readonly id: string; readonly body: JsonObject }
  | { readonly kind: 'skip' };

export async function decideRow(
  row: MatchedRow,
  { actor, model, plan, ...conversion }: ImportWork & Conversion,
  context: BaseContext,
): Promise<RowDecision> {
  const { cells, matchId } = row;
  const convert = (use: Parameters<typeof convertRow>[1]) =>
    convertRow(cells, use, { model, plan, ...conversion });
  if (matchId !== undefined) return { kind: 'update', id: matchId, body: convert('update') };
  if (plan.action === 'update') {
    throw new Refusal('not_found', 'import.no_match', 'No record has the values of this row.');
  }
  const body = convert('create');
  if (plan.duplicates === 'ignore') return { kind: 'create', body, isDuplicate: false };
  const values = await readNewValues({ actor, model, body }, context);
  const [duplicate] = await context.findDuplicates({ actor, model, values });
  if (duplicate === undefined || plan.duplicates === 'create') {
    return { kind: 'create', body, isDuplicate: duplicate !== undefined };
  }
  if (plan.duplicates === 'skip') return { kind: 'skip' };
  return { kind: 'update', id: String(duplicate['id']), body: convert('complete') };
}

interface RowWriting extends ImportWork {
  readonly commandId: string;
  /** True unless the log may have the command. */
  readonly isFirstAttempt: boolean;
  /** Milliseconds since 1970. */
  readonly deadline: number;
}

type Written = 'created' | 'updated' | 'unchanged';

/** Carries out the decision for a row. */
export async function writeRow(
  decision: Exclude<RowDecision, { readonly kind: 'skip' }>,
  { actor, model, commandId, deadline, isFirstAttempt }: RowWriting,
  { sender }: BaseContext,
): Promise<Written> {
  const command = {
    ...{ actor, model, commandId, commandHash: commandId, deadline, isFirstAttempt },
    body: decision.body,
    untilReadable: false,
  };
  if (decision.kind === 'create') {
    await sender.send(createCommand, { ...command, conditions: { skipDuplicateCheck: true } });
    return 'created';
  }
  const { id } = decision;
  const { changed, isReplay } = await sender.send(updateCommand, {
    ...command,
    id,
    conditions: {},
  });
  return changed.length > 0 || isReplay ? 'updated' : 'unchanged';
}

/** Makes the same checks as a write, and returns its outcome, but writes nothing. */
export async function checkRow(
  decision: Exclude<RowDecision, { readonly kind: 'skip' }>,
  { actor, model }: ImportWork,
  context: BaseContext,
): Promise<Written> {
  const { body } = decision;
  if (decision.kind === 'create') {
    await readNewValues({ actor, model, body }, context);
    return 'created';
  }
  const { id } = decision;
  const current = live(await context.readState(model, id), id);
  const { values, problems } = readInput(model, editable(actor, model, body), 'update');
  const links = await context.resolveLinks({ model, values, actor });
  const update = { actor, model, conditions: {}, values, problems, links };
  const after = deriveUpdate(current, update, context);
  const change = decideChange(model, current, after, context.now());
  return change === undefined ? 'unchanged' : 'updated';
}
