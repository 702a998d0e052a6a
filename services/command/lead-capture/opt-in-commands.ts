import { decideCreate, decideUpdate, live } from '../../../shared/domain/record/decide.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { defineChange } from '../owner/define-command.ts';
import { asNumber, asObject, asText } from '../owner/read-body.ts';

/** Entity type of forms that wait for the confirmation of their e-mail address. */
export const leadOptInType = 'LeadOptIn';

/** A new opt-in. Sent between instances as JSON. */
interface NewOptIn {
  readonly captureId: string;
  /** The values from the form, sealed. */
  readonly content: string;
  /** In milliseconds since 1970. */
  readonly expiresAtMs: number;
}

export const requestOptInCommand = defineChange({
  name: 'request-opt-in',
  readBody: asObject<NewOptIn>({ captureId: asText, content: asText, expiresAtMs: asNumber }),
  isCreation: true,
  decide: (state, { body: { captureId, content, expiresAtMs } }) =>
    decideCreate(state, { captureId, content, expiresAt: formatDateTime(expiresAtMs) }),
});

/** The time at which a process decides. Sent between instances as JSON, in milliseconds since 1970. */
interface At {
  readonly atMs: number;
}
const readAt = asObject<At>({ atMs: asNumber });

/** Marks an opt-in as confirmed once its lead exists. Of several visits, only the first one changes it. */
export const confirmOptInCommand = defineChange({
  name: 'confirm-opt-in',
  readBody: readAt,
  decide(state, { id, body: { atMs } }) {
    const optIn = live(state, id);
    if (typeof optIn.values['confirmedAt'] === 'string') return undefined;
    return decideUpdate(optIn, {
      confirmedAt: formatDateTime(atMs),
      content: null,
      expiresAt: null,
    });
  },
});

/** Removes the values of an opt-in whose lifetime has ended. Does nothing if a visit has just confirmed it. */
export const expireOptInCommand = defineChange({
  name: 'expire-opt-in',
  readBody: readAt,
  decide(state, { id, body: { atMs } }) {
    const optIn = live(state, id);
    const { expiresAt } = optIn.values;
    if (typeof expiresAt !== 'string' || expiresAt > formatDateTime(atMs)) return undefined;
    return decideUpdate(optIn, { content: null, expiresAt: null });
  },
});

export const optInCommands = [
  requestOptInCommand,
  confirmOptInCommand,
  expireOptInCommand,
] as const;
