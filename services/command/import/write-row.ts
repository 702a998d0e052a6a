import { Refusal } from '../../../shared/domain/errors.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import type { BaseContext } from '../context.ts';
import type { JsonObject } from '../owner/read-body.ts';
import { createCommand } from '../records/create.ts';
import { decideChange } from '../records/input/decide-change.ts';
import { deriveUpdate } from '../records/input/derive-update.ts';
import { editable, readable, readNewInput, readNewValues } from '../records/input/read-values.ts';
import { updateCommand } from '../records/update.ts';
import { type Conversion, convertRow } from './convert-row.ts';
import type { ImportWork, MatchedRow } from './prepare-rows.ts';

/** The write that a row leads to. Decided once, because a second decision would find the record that the first one created. */
export type RowDecision =
  | { readonly kind: 'create'; readonly body: JsonObject; readonly isDuplicate: boolean }
  | { readonly kind: 'update'; readonly id: string; readonly body: JsonObject }
  | { readonly kind: 'skip' };

/** Returns the values of the new record that a row would create, as far as they identify duplicates. */
export function candidateOf(
  { cells, matchId }: MatchedRow,
  { actor, model, plan, ...conversion }: ImportWork & Conversion,
  context: BaseContext,
): AttributeValues | undefined {
  if (matchId !== undefined || plan.action === 'update') return undefined;
  try {
    const body = convertRow(cells, 'create', { model, plan, ...conversion });
    // A match would reveal the value of a field that the actor may not read.
    return readable(actor, model, readNewInput({ actor, model, body }, context));
  } catch (error) {
    // The write rejects the row.
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

/** `duplicateId`: the existing record with the same name or e-mail address. */
export function decideRow(
  { cells, matchId, duplicateId }: MatchedRow & { readonly duplicateId: string | undefined },
  conversion: Conversion,
): RowDecision {
  const { plan } = conversion;
  if (matchId !== undefined) {
    return { kind: 'update', id: matchId, body: convertRow(cells, 'update', conversion) };
  }
  if (plan.action === 'update') {
    throw new Refusal('not_found', 'import.no_match', 'No record matches this row.');
  }
  if (duplicateId === undefined || plan.duplicates === 'create') {
    const body = convertRow(cells, 'create', conversion);
    return { kind: 'create', body, isDuplicate: duplicateId !== undefined };
  }
  if (plan.duplicates === 'skip') return { kind: 'skip' };
  return { kind: 'update', id: duplicateId, body: convertRow(cells, 'complete', conversion) };
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
