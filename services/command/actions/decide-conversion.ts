import { requireRecordAccess } from '../../../shared/domain/access/record-access.ts';
import { requireMatch } from '../../../shared/domain/record/conditions.ts';
import { decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { duplicateFound } from '../commands/find-duplicates.ts';
import { siblingsIn } from '../commands/siblings-in.ts';
import type { ExistingWriteRequest } from '../commands/write-request.ts';
import type { Submission } from '../writer/submission.ts';
import { conversionValues, type PlannedConversion } from './lead-conversion.ts';

/** Decides a lead's conversion; the body is a PlannedConversion. */
export function decideConversion(
  { actor, model, conditions, body }: ExistingWriteRequest,
  now: () => number,
): Submission['decide'] {
  return (state) => {
    const current = live(state);
    requireRecordAccess(actor, 'edit', { ...current, model });
    requireMatch(current, conditions);
    const { actorId, records, duplicates } = body as unknown as PlannedConversion;
    // Here, because a command that comes again finds the records that it made itself.
    if (duplicates.length > 0) throw duplicateFound(duplicates);
    return decideUpdate(current, conversionValues({ actorId, records }, now()), siblingsIn(model));
  };
}
