import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type FindingNews, isNewsDue } from '../../../shared/domain/mail/queued-email.ts';
import { preferenceOf, preferencesType } from '../../../shared/domain/preferences/preferences.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { CommandContext } from '../context.ts';
import { queueEmail } from '../mail/queue-email.ts';

/** A fault that doctor has found. */
export interface Fault {
  /** The same for the same fault in every examination. */
  readonly key: string;
  readonly part: string;
  readonly says: string;
  readonly remedy: string;
}

/** The faults of an examination. */
export interface Faults {
  readonly faults: readonly Fault[];
  /** The parts that could be examined. The faults of other parts are unknown. */
  readonly parts: ReadonlySet<string>;
}

const EXAMINE_EVERY_MS = 60_000;

/**
 * Sends e-mails about faults to administrators who turned them on: one when a fault appears, one when it is gone, and
 * at most one per fault and hour. A fault counts from the second examination in a row, so that restarts cause no
 * e-mails. Only the owner of the directory examines the installation for this. The log has the e-mails of earlier
 * owners, so a new owner does not repeat them. `close` stops it.
 */
export function keepSendingFindings(
  context: CommandContext,
  readFaults: () => Promise<Faults>,
): { close(): Promise<void> } {
  return runPeriodically(createExamination(context, readFaults), {
    log: context.log,
    what: 'e-mails of findings',
    everyMs: EXAMINE_EVERY_MS,
  });
}

/** Returns a function that examines the installation once, and queues the e-mails that are due. */
export function createExamination(
  context: CommandContext,
  readFaults: () => Promise<Faults>,
): () => Promise<void> {
  const { directoryWriter } = context;
  let before: ReadonlySet<string> = new Set();

  return async () => {
    const subscribers = directoryWriter.isOwned() ? subscribersIn(context) : [];
    if (subscribers.length === 0) {
      before = new Set();
      return;
    }
    const { faults, parts } = await readFaults();
    const lasting = faults.filter(({ key }) => before.has(key));
    const keys = new Set(faults.map(({ key }) => key));
    before = keys;
    const isGone = ({ key, part }: FindingNews) => !keys.has(key) && parts.has(part);
    for (const user of subscribers) {
      for (const fault of lasting) await notify(context, user, toNews(fault, 'appeared'), fault);
      for (const finding of context.directory.emails.openFindingsOf(user.id).filter(isGone)) {
        await notify(context, user, { ...finding, phase: 'gone' });
      }
    }
  };
}

function subscribersIn({ directory }: CommandContext): readonly RecordState[] {
  return directory
    .records('User')
    .filter((user) => user.values['type'] === 'admin' && isActiveUser(user))
    .filter(
      ({ id }) =>
        preferenceOf(directory.record(preferencesType, id), 'receiveFindingEmails') === true,
    );
}

function toNews({ key, part, says }: Fault, phase: FindingNews['phase']): FindingNews {
  return { key, part, says, phase };
}

async function notify(
  context: CommandContext,
  user: RecordState,
  finding: FindingNews,
  { remedy }: { readonly remedy: string } = { remedy: '' },
): Promise<void> {
  const { key, phase, says } = finding;
  const latest = context.directory.emails.latestAbout(user.id, key);
  if (!isNewsDue(latest, finding, context.clock.now())) return;
  try {
    await queueEmail(context, {
      kind: 'finding',
      user,
      finding,
      write: (texts, values) =>
        texts[phase === 'gone' ? 'findingGone' : 'findingAppeared']({
          ...values,
          finding: { says, remedy },
        }),
    });
  } catch (error) {
    // The user has no address, or too many e-mails were sent.
    if (!(error instanceof Refusal)) throw error;
    context.log.warn({ code: error.code, userId: user.id }, 'cannot send a finding by e-mail');
  }
}
