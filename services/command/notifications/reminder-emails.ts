import { labelsOfType } from '../../../shared/domain/entity/labels/labels.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { emailType, HOUR_MS, MINUTE_MS } from '../../../shared/domain/mail/queued-email.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { queueEmail, requireMail } from '../mail/queue-email.ts';

/** A reminder by e-mail that has become due for a user. */
export interface DueEmail {
  readonly user: RecordState;
  readonly id: string;
  /** In milliseconds since 1970. */
  readonly dueMs: number;
  /** The time of which it reminds: UTC, or a whole day. */
  readonly at: { readonly time: string | null; readonly day: string | null };
  /** Undefined if the user must not be reminded. */
  readonly reminder:
    | {
        readonly data: {
          readonly id: string;
          readonly entityType: string;
          readonly name: string | null;
          readonly dateField: 'dateEnd' | 'dateStart';
        };
      }
    | undefined;
}

/** Reads the reminders that have become due within `latestMs`. */
type ReadDueEmails = (wanted: {
  readonly now: number;
  readonly latestMs: number;
  readonly wants: (user: RecordState, reminderId: string) => boolean;
  readonly onUnreadable: (due: readonly Pick<DueEmail, 'id' | 'user'>[], error: unknown) => void;
}) => Promise<readonly DueEmail[]>;

const LOOK_EVERY_MS = 5_000;
/** Later reminders are dropped, for example after a long outage. Shorter than e-mails of reminders are remembered. */
const LATEST_MS = HOUR_MS;
/** The pause before a reminder is tried again that a user may not get, or that exceeded a limit. */
const PAUSE_MS = 5 * MINUTE_MS;

/**
 * Sends reminders of activities by e-mail (docs/reference/activities.md#reminders). Only the owner of the directory does
 * this. The id of an e-mail is derived from the user, the activity, its time and the lead time, so the log has at most
 * one e-mail for each reminder, also after a restart and if two processes act as the owner. `close` stops it.
 */
export function keepSendingReminders(
  context: CommandContext,
  read: ReadDueEmails,
): { close(): Promise<void> } {
  return runPeriodically(createReminding(context, read), {
    log: context.log,
    what: 'e-mails of reminders',
    everyMs: LOOK_EVERY_MS,
  });
}

/** Returns a function that queues the e-mails of all reminders that are due. */
export function createReminding(context: CommandContext, read: ReadDueEmails): () => Promise<void> {
  const { clock, directory, directoryWriter, log } = context;
  /** Until when reminders are not tried again, by the id of the e-mail. */
  const paused = new Map<string, number>();

  const idOf = (user: RecordState, reminderId: string) =>
    context.secrets.tokenHash(`reminder ${reminderId} for ${user.id}`);

  function wants(user: RecordState, reminderId: string): boolean {
    const { emailAddress } = user.values;
    if (typeof emailAddress !== 'string' || emailAddress === '') return false;
    const id = idOf(user, reminderId);
    return !paused.has(id) && directory.record(emailType, id) === undefined;
  }

  function pause({ user, id }: Pick<DueEmail, 'id' | 'user'>): void {
    paused.set(idOf(user, id), clock.now() + PAUSE_MS);
  }

  function onUnreadable(due: readonly Pick<DueEmail, 'id' | 'user'>[], err: unknown): void {
    log.warn({ err, userId: due[0]?.user.id }, 'cannot read the reminders of a user');
    for (const one of due) pause(one);
  }

  async function remindOrPause(due: DueEmail): Promise<void> {
    const id = idOf(due.user, due.id);
    if (due.reminder === undefined) {
      pause(due);
      return;
    }
    try {
      await remind(context, id, { ...due, ...due.reminder.data });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      // Another process has queued it, the address cannot be used, or too many e-mails were sent.
      pause(due);
      if (error.code === 'record.exists') return;
      log.warn({ code: error.code, userId: due.user.id }, 'cannot send a reminder by e-mail');
    }
  }

  return async () => {
    if (!directoryWriter.isOwned()) return;
    const now = clock.now();
    for (const [id, until] of paused) if (until <= now) paused.delete(id);
    for (const due of await read({ now, latestMs: LATEST_MS, wants, onUnreadable })) {
      if (!directoryWriter.isOwned()) return;
      await remindOrPause(due);
    }
  };
}

async function remind(
  context: CommandContext,
  id: string,
  {
    user,
    dueMs,
    at,
    id: recordId,
    entityType,
    name,
    dateField,
  }: Omit<DueEmail, 'id' | 'reminder'> & NonNullable<DueEmail['reminder']>['data'],
): Promise<void> {
  const { config, directory } = context;
  const { siteUrl } = requireMail(config);
  const model = directory.entity(entityType);
  if (model === undefined) return;
  const stored = directory.record(preferencesType, user.id);
  const timeZone = String(preferenceOf(stored, 'timeZone') || 'UTC');
  await queueEmail(context, {
    kind: 'reminder',
    user,
    id,
    expiresAtMs: dueMs + LATEST_MS,
    write: (texts, values) =>
      texts.reminder({
        ...values,
        activity: {
          typeIn: (language) => labelsOfType(model, language)[0],
          name: name ?? '',
          at: { ...at, timeZone },
          isEnd: dateField === 'dateEnd',
          link: `${siteUrl}/records/${entityType}/${encodeURIComponent(recordId)}`,
        },
      }),
  });
}
