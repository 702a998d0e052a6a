import type { Decision } from '../../../shared/domain/record/decide.ts';
import { type Change, restoration } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { sameValue } from '../../../shared/domain/value/attribute-values.ts';

/** Derived from the event itself, see `evolve`. */
const systemAttributes: ReadonlySet<string> = new Set([
  'createdAt',
  'createdById',
  'modifiedAt',
  'modifiedById',
]);

/**
 * Decides the event that resets a quarantined record to `stored`, its state before the first event that the tables
 * rejected. A record that was never stored is emptied and deleted: even a deleted record has a row with its values.
 */
export function decideDiscard(state: RecordState, stored: RecordState | undefined): Decision {
  const target = stored?.values ?? {};
  const attributes = new Set([...Object.keys(state.values), ...Object.keys(target)]);
  const changes: Change[] = [];
  for (const attribute of attributes) {
    const before = state.values[attribute] ?? null;
    const after = target[attribute] ?? null;
    if (systemAttributes.has(attribute) || sameValue(before, after)) continue;
    changes.push({ attribute, before, after });
  }
  if (stored === undefined || stored.deleted) return { type: 'Deleted', changes };
  return { type: 'Updated', changes: state.deleted ? [...changes, restoration] : changes };
}
