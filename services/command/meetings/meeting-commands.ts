import { Refusal } from '../../../shared/domain/errors.ts';
import { live } from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { toRows } from '../../../shared/domain/record/link-columns.ts';
import type { WriteRequest } from '../owner/command.ts';
import { defineChange } from '../owner/define-command.ts';
import { asObject, asText } from '../owner/read-body.ts';
import { decideChange } from '../records/input/decide-change.ts';
import type { Submission } from '../writer/submission.ts';

/** The response of the acting user to an invitation. */
export interface Acceptance {
  readonly status: string;
}

export const setAcceptanceCommand = defineChange({
  name: 'set-acceptance',
  readBody: asObject<Acceptance>({ status: asText }),
  decide: decideAcceptance,
});

export const meetingCommands = [setAcceptanceCommand] as const;

/**
 * Sets the column of the acting user, who needs no permission to edit the meeting. Rejects users who are not invited.
 */
export function decideAcceptance({
  actor,
  model,
  id,
  body: { status },
}: Pick<WriteRequest<Acceptance>, 'actor' | 'model' | 'id' | 'body'>): Submission['decide'] {
  return (state) => {
    const current = live(state, id);
    if (!idsIn(current.values['usersIds']).includes(actor.id)) {
      throw new Refusal(
        'forbidden',
        'access.denied',
        `You are not among the users of this ${model.name}.`,
      );
    }
    const rows = toRows(current.values['usersColumns']);
    const usersColumns = { ...rows, [actor.id]: { ...rows[actor.id], status } };
    return decideChange(model, current, { usersColumns });
  };
}
