import { readQuarantined } from '../../../shared/db/quarantine.ts';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Decision } from '../../../shared/domain/record/decide.ts';
import { type Change, restoration } from '../../../shared/domain/record/record-event.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { sameValue } from '../../../shared/domain/value/attribute-values.ts';
import { append } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';

/** Appends an event that resets a quarantined record to its state before the first event that the tables rejected. */
export const discardCommand = defineCommand({
  name: 'discard',
  readBody: asJson,
  async execute(context, request) {
    const { actor, id, model } = request;
    requireAdministrator(actor);
    const found = await readQuarantined(context.pool, { entityType: model.name, id });
    if (found === undefined) throw notQuarantined();
    return append(context, request, {
      id,
      isOfQuarantine: true,
      decide(state) {
        // The record has a later event, which was on its way to the log when the quarantine began.
        if (state?.version !== found.state.version) throw changedMeanwhile();
        return decideDiscard(state, found.stored);
      },
    });
  },
});

/** Derived from the event itself, see `evolve`. */
const systemAttributes: ReadonlySet<string> = new Set([
  'createdAt',
  'createdById',
  'modifiedAt',
  'modifiedById',
]);

/**
 * Decides the event that resets a quarantined record to `stored`, its state before the first event that the tables
 * rejected. A record that was never stored is emptied as well as deleted, because even a deleted record has a row with
 * its values.
 */
function decideDiscard(state: RecordState, stored: RecordState | undefined): Decision {
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

export function notQuarantined(): Refusal {
  return new Refusal('conflict', 'entry.not_quarantined', 'The record is not quarantined.');
}

function changedMeanwhile(): Refusal {
  return new Refusal(
    'conflict',
    'entry.changed',
    'The record has changed in the meantime. Read its rejected entries again, then discard them.',
  );
}
