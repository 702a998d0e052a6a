import { readQuarantined } from '../../../shared/db/quarantine.ts';
import { requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { append, appendToDirectory } from '../owner/append.ts';
import { defineCommand } from '../owner/define-command.ts';
import { asJson } from '../owner/read-body.ts';
import { decideDiscard } from './decide-discard.ts';

/** Appends an event that resets a quarantined record to its state before the first event that the tables rejected. */
export const discardCommand = defineCommand({
  name: 'discard',
  readBody: asJson,
  async execute(context, request) {
    const { actor, id, model } = request;
    requireAdministrator(actor);
    const found = await readQuarantined(context.pool, { entityType: model.name, id });
    if (found === undefined) throw notQuarantined();
    const appendTo = model.definition.log === 'directory' ? appendToDirectory : append;
    return appendTo(context, request, {
      id,
      isOfQuarantine: true,
      decide(state) {
        // The record has another event, which was on its way to the log during the quarantine.
        if (state?.version !== found.state.version) throw changedMeanwhile();
        return decideDiscard(state, found.stored);
      },
    });
  },
});

export const quarantineCommands = [discardCommand] as const;

export function notQuarantined(): Refusal {
  return new Refusal('conflict', 'entry.not_quarantined', 'The record is not quarantined.');
}

function changedMeanwhile(): Refusal {
  return new Refusal(
    'conflict',
    'entry.changed',
    'The record has changed meanwhile. Read its rejected entries again, then discard them.',
  );
}
