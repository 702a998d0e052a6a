import { leadCaptureType } from '../../../shared/domain/entity/stock/lead-capture.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { type AttributeValues, toObject } from '../../../shared/domain/value/attribute-values.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import type { CommandContext } from '../context.ts';
import { bySystem } from '../owner/command.ts';
import { captureLead, requireModel } from './capture-lead.ts';
import type { createOneByOne } from './one-by-one.ts';
import { confirmOptInCommand, leadOptInType } from './opt-in-commands.ts';
import type { OptInOutcome } from './opt-in-page.ts';
import { optInIdOf } from './request-opt-in.ts';

const linkIdForm = /^[0-9a-f]{32}$/;

/** Dependencies of visits to links. */
export interface OptInVisits {
  readonly context: CommandContext;
  /** By e-mail address, so that of two links for an address, the second one finds the lead of the first. */
  readonly oneByOne: ReturnType<typeof createOneByOne>;
}

/** Handles a visit to a link. `linkId` is as sent. */
export async function visitOptIn(visits: OptInVisits, linkId: unknown): Promise<OptInOutcome> {
  const { context } = visits;
  if (typeof linkId !== 'string' || linkId === '') return { kind: 'incomplete' };
  if (!linkIdForm.test(linkId)) return { kind: 'unknown' };
  try {
    return await confirm(visits, optInIdOf(context, linkId));
  } catch (err) {
    if (err instanceof Unavailable) {
      context.log.warn({ err }, 'cannot confirm an opt-in at present');
      return { kind: 'later' };
    }
    // The fields of leads, or the records that the capture refers to, have changed since the form was sent.
    if (!(err instanceof Refusal)) throw err;
    context.log.warn({ err, code: err.code }, 'cannot confirm an opt-in');
    return { kind: 'failed' };
  }
}

/**
 * Creates or subscribes the lead, and then marks the opt-in as confirmed. If the process dies in between, the next visit
 * repeats the first step, which creates no second lead. Simultaneous visits, such as those of a scanner for links, create
 * one lead as well.
 */
async function confirm({ context, oneByOne }: OptInVisits, id: string): Promise<OptInOutcome> {
  const { clock, directory, now, openSecret, sender, timeoutMs } = context;
  const deadline = now() + timeoutMs;
  const model = requireModel(context, leadOptInType);
  const optIn = await find(context, { id, deadline });
  const capture = directory.record(leadCaptureType, String(optIn?.values['captureId']));
  if (optIn === undefined || capture === undefined || capture.deleted) return { kind: 'unknown' };
  const confirmed = { kind: 'confirmed', message: messageOf(capture.values) } as const;
  const { confirmedAt, content, expiresAt } = optIn.values;
  if (typeof confirmedAt === 'string') return confirmed;
  if (typeof expiresAt !== 'string' || expiresAt <= formatDateTime(clock.now())) {
    return { kind: 'expired' };
  }
  const opened = typeof content === 'string' ? openSecret(content) : null;
  if (opened === null) {
    context.log.warn('an opt-in was sealed with another ANNALS_SECRET_KEY');
    return { kind: 'failed' };
  }
  const values = toObject(JSON.parse(opened) as unknown);
  const optedIn = { id, isConfirmed: true, endsOptOut: true };
  const captured = { capture: capture.values, values, deadline, optIn: optedIn };
  const address = String(values['emailAddress']).trim().toLowerCase();
  await oneByOne(address, () => captureLead(captured, context));
  const body = { atMs: clock.now() };
  await sender.send(confirmOptInCommand, { ...bySystem, model, id, body, deadline });
  return confirmed;
}

/** Reads an opt-in. Waits for the tables if they may lack it. */
async function find(
  context: CommandContext,
  { id, deadline }: { readonly id: string; readonly deadline: number },
): Promise<RecordState | undefined> {
  const model = requireModel(context, leadOptInType);
  const read = () => context.readState(model, id);
  const found = await read();
  if (found !== undefined) return found;
  await context.untilCaughtUp(deadline);
  return read();
}

function messageOf({ optInConfirmationSuccessMessage: text }: AttributeValues): string | undefined {
  return typeof text === 'string' && text.trim() !== '' ? text.trim() : undefined;
}
