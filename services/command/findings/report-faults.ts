import { isActiveUser } from '../../../shared/domain/directory/is-active-user.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  type FindingNews,
  isNewsDue,
  type SentNews,
} from '../../../shared/domain/mail/queued-email.ts';
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

/** A receiver of news about faults. */
export interface FaultReceiver {
  /** The latest news about a fault that was sent to the receiver. */
  latestAbout(key: string): SentNews | undefined;
  /** The faults that were reported, and not reported as gone since. */
  open(): readonly FindingNews[];
  /** `remedy` is empty if the fault is gone. */
  send(news: FindingNews, remedy: string): Promise<void>;
}

const EXAMINE_EVERY_MS = 60_000;

/**
 * Reports faults to the webhook of the operators and by e-mail to administrators who turned this on: once when a fault
 * appears, once when it is gone, and at most once per fault and hour. A fault counts from the second examination in a
 * row, so that restarts are not reported. Only the owner of the directory examines the installation for this. `close`
 * stops it.
 */
export function keepReportingFaults(
  context: CommandContext,
  readFaults: () => Promise<Faults>,
  webhook: FaultReceiver | undefined,
): { close(): Promise<void> } {
  return runPeriodically(createExamination(context, readFaults, webhook), {
    log: context.log,
    what: 'reports of faults',
    everyMs: EXAMINE_EVERY_MS,
  });
}

/** Returns a function that examines the installation once, and sends the news that are due. */
export function createExamination(
  context: CommandContext,
  readFaults: () => Promise<Faults>,
  webhook: FaultReceiver | undefined,
): () => Promise<void> {
  const { clock, directoryWriter } = context;
  // The webhook comes first, because no e-mail can be queued while the log is away.
  const operators = webhook === undefined ? [] : [webhook];
  let before: ReadonlySet<string> = new Set();

  async function tell(receiver: FaultReceiver, news: FindingNews, remedy = ''): Promise<void> {
    if (isNewsDue(receiver.latestAbout(news.key), news, clock.now())) {
      await receiver.send(news, remedy);
    }
  }

  async function report(receivers: readonly FaultReceiver[]): Promise<void> {
    const { faults, parts } = await readFaults();
    const lasting = faults.filter(({ key }) => before.has(key));
    const keys = new Set(faults.map(({ key }) => key));
    before = keys;
    const isGone = ({ key, part }: FindingNews) => !keys.has(key) && parts.has(part);
    for (const receiver of receivers) {
      for (const fault of lasting) await tell(receiver, toNews(fault, 'appeared'), fault.remedy);
      for (const one of receiver.open().filter(isGone)) {
        await tell(receiver, { ...one, phase: 'gone' });
      }
    }
  }

  return async () => {
    const receivers = directoryWriter.isOwned() ? [...operators, ...subscribersIn(context)] : [];
    if (receivers.length > 0) await report(receivers);
    else before = new Set();
  };
}

/** Returns the administrators who get e-mails. The log has those of earlier owners, so a new owner does not repeat them. */
function subscribersIn(context: CommandContext): readonly FaultReceiver[] {
  if (context.config.mail === undefined) return [];
  const { directory } = context;
  return directory
    .records('User')
    .filter((user) => user.values['type'] === 'admin' && isActiveUser(user))
    .filter(
      ({ id }) =>
        preferenceOf(directory.record(preferencesType, id), 'receiveFindingEmails') === true,
    )
    .map((user) => ({
      latestAbout: (key) => directory.emails.latestAbout(user.id, key),
      open: () => directory.emails.openFindingsOf(user.id),
      send: (news, remedy) => queueNews(context, user, { ...news, remedy }),
    }));
}

function toNews({ key, part, says }: Fault, phase: FindingNews['phase']): FindingNews {
  return { key, part, says, phase };
}

async function queueNews(
  context: CommandContext,
  user: RecordState,
  { remedy, ...finding }: FindingNews & { readonly remedy: string },
): Promise<void> {
  const { phase, says } = finding;
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
