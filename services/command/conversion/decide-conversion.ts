import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import type { CommandContext } from '../context.ts';
import type { WriteRequest } from '../owner/command.ts';
import { siblingsIn } from '../records/input/decide-change.ts';
import { duplicateFound } from '../records/input/find-duplicates.ts';
import { requireConditions } from '../records/input/require-conditions.ts';
import type { Submission } from '../writer/submission.ts';
import {
  type Conversion,
  conversionValues,
  type PlannedConversion,
  readConversion,
} from './lead-conversion.ts';

/** Decides the conversion of a lead. */
export function decideConversion(
  { actor, model, id, conditions, body }: WriteRequest<PlannedConversion>,
  { now }: CommandContext,
): Submission['decide'] {
  return (state) => {
    const current = live(state, id);
    requireRecordAccess(actor, 'edit', { ...current, model });
    requireConditions(current, { actor, model, conditions });
    const { duplicates, ...conversion } = body;
    // Checked here and not earlier: a repeated command would find the records that it created itself.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    return decideUpdate(current, conversionValues(conversion, now()), siblingsIn(model));
  };
}

/** Marks the conversion as complete. */
export function decideConversionEnd({
  id,
  body,
}: Pick<WriteRequest<Conversion>, 'id' | 'body'>): Submission['decide'] {
  const { linked: _, ...ended } = body;
  return (state) => {
    const current = live(state, id);
    const found = readConversion(current.values['conversion']);
    // The lead has been converted again since then.
    if (JSON.stringify(found?.records) !== JSON.stringify(ended.records)) return undefined;
    return decideUpdate(current, { conversion: JSON.stringify(ended) });
  };
}
