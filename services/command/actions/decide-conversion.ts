import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { duplicateFound } from '../commands/find-duplicates.ts';
import { siblingsIn } from '../commands/siblings-in.ts';
import type { ExistingWriteRequest } from '../commands/write-request.ts';
import type { Submission } from '../writer/submission.ts';
import {
  type Conversion,
  conversionValues,
  type PlannedConversion,
  readConversion,
} from './lead-conversion.ts';

/** Decides a lead's conversion; the body is a PlannedConversion. */
export function decideConversion(
  { actor, model, id, conditions, body }: ExistingWriteRequest,
  now: () => number,
): Submission['decide'] {
  return (state) => {
    const current = live(state, id);
    requireRecordAccess(actor, 'edit', { ...current, model });
    requireMatch(current, conditions);
    const { duplicates, ...conversion } = body as unknown as PlannedConversion;
    // Here, because a command that comes again finds the records that it made itself.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    return decideUpdate(current, conversionValues(conversion, now()), siblingsIn(model));
  };
}

/** Nothing is left of this conversion; the body is the Conversion. */
export function decideConversionEnd({
  id,
  body,
}: Pick<ExistingWriteRequest, 'id' | 'body'>): Submission['decide'] {
  const { linked: _, ...ended } = body as unknown as Conversion;
  return (state) => {
    const current = live(state, id);
    const found = readConversion(current.values['conversion']);
    // The lead was converted anew since.
    if (JSON.stringify(found?.records) !== JSON.stringify(ended.records)) return undefined;
    return decideUpdate(current, { conversion: JSON.stringify(ended) });
  };
}
