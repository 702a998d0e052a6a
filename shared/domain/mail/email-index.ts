import { evolve } from '../record/evolve.ts';
import type { RecordEvent } from '../record/record-event.ts';
import type { RecordState } from '../record/record-state.ts';
import {
  type FindingNews,
  HOUR_MS,
  MINUTE_MS,
  type QueuedEmail,
  toQueuedEmail,
} from './queued-email.ts';

/** The e-mails in a directory. */
export interface Emails {
  /** Due e-mails, the longest due first. */
  due(now: number): readonly QueuedEmail[];
  /** E-mails that are queued, or ended within the last day, oldest first. */
  recent(): readonly QueuedEmail[];
  /** The latest link with which the user can set a password. It may have expired. */
  passwordRequestOf(userId: string): QueuedEmail | undefined;
  passwordRequestByHash(idHash: string): QueuedEmail | undefined;
  /** The latest e-mail to a user about a finding. Missing if a finding has been gone for a long time. */
  latestAbout(userId: string, findingKey: string): QueuedEmail | undefined;
  /** The findings that the user has been notified of and that were not gone since. */
  openFindingsOf(userId: string): readonly FindingNews[];
}

/** How long ended e-mails are kept, for limits and for the list of recent e-mails. */
const KEPT_MS = 24 * HOUR_MS;
/** Reminders are the most frequent e-mails. Longer than a reminder may be late, because a dropped one could be queued again. */
const KEPT_REMINDERS_MS = 2 * HOUR_MS;
/** Above this number, the oldest ended e-mails are dropped. Limits keep the number of queued e-mails far below. */
const MAX_KEPT = 10_000;

/**
 * The e-mails in a directory. Updated incrementally, because e-mails are more frequent than other changes. E-mails that
 * ended long ago are never needed and their number is unbounded, so they are dropped.
 */
export function createEmailIndex() {
  const states = new Map<string, RecordState>();
  const emails = new Map<string, QueuedEmail>();
  /** Ids of the latest request of each user. */
  const requests = new Map<string, QueuedEmail>();
  /** Keyed by user, then finding. */
  const news = new Map<string, Map<string, QueuedEmail>>();

  function forget(id: string): void {
    states.delete(id);
    emails.delete(id);
  }

  let prunedAtMs = Number.NEGATIVE_INFINITY;

  /** The e-mails are in the order of the log, so the oldest come first. */
  function prune(now: number): void {
    for (const [id, { status, queuedAtMs }] of emails) {
      const isOld = queuedAtMs + KEPT_MS < now;
      if (!isOld && emails.size <= MAX_KEPT) break;
      if (status !== 'queued') forget(id);
    }
    if (Math.abs(now - prunedAtMs) >= MINUTE_MS) pruneExpired(now);
  }

  /** Not for every event, because it scans all requests, which readers check for their expiry anyway. */
  function pruneExpired(now: number): void {
    prunedAtMs = now;
    for (const [id, email] of emails) if (isOldReminder(email, now)) forget(id);
    deleteWhere(requests, ({ passwordRequest }) => (passwordRequest?.expiresAtMs ?? 0) < now);
    const isOver = ({ finding, queuedAtMs }: QueuedEmail) =>
      finding?.phase === 'gone' && queuedAtMs + KEPT_MS < now;
    for (const ofUser of news.values()) deleteWhere(ofUser, isOver);
  }

  function remember(email: QueuedEmail): void {
    emails.set(email.id, email);
    const { finding, passwordRequest, userId } = email;
    if (userId === null) return;
    const known = requests.get(userId);
    if (passwordRequest !== null && (known === undefined || known.queuedAtMs <= email.queuedAtMs)) {
      requests.set(userId, email);
    }
    if (finding === null) return;
    const ofUser = news.get(userId) ?? new Map<string, QueuedEmail>();
    news.set(userId, ofUser);
    if ((ofUser.get(finding.key)?.queuedAtMs ?? 0) <= email.queuedAtMs) {
      ofUser.set(finding.key, email);
    }
  }

  const index: Emails = {
    due: (now) =>
      [...emails.values()]
        .filter(({ status, nextAttemptAtMs }) => status === 'queued' && nextAttemptAtMs <= now)
        .toSorted((one, other) => one.nextAttemptAtMs - other.nextAttemptAtMs),
    recent: () => [...emails.values()],
    passwordRequestOf: (userId) => requests.get(userId),
    passwordRequestByHash: (idHash) =>
      requests.values().find(({ passwordRequest }) => passwordRequest?.idHash === idHash),
    latestAbout: (userId, key) => news.get(userId)?.get(key),
    openFindingsOf: (userId) =>
      [...(news.get(userId)?.values() ?? [])].flatMap(({ finding }) =>
        finding?.phase === 'appeared' ? [finding] : [],
      ),
  };
  return {
    ...index,
    apply(event: RecordEvent): void {
      const known = states.get(event.recordId);
      // An outcome of an e-mail that has been dropped.
      if (known === undefined && event.type !== 'Created') return;
      const state = evolve(known, event);
      states.set(state.id, state);
      remember(toQueuedEmail(state));
      prune(event.occurredAt);
    },
    record: (id: string) => states.get(id),
  };
}

function isOldReminder({ kind, status, queuedAtMs }: QueuedEmail, now: number): boolean {
  return kind === 'reminder' && status !== 'queued' && queuedAtMs + KEPT_REMINDERS_MS < now;
}

function deleteWhere(
  emails: Map<string, QueuedEmail>,
  isDeleted: (email: QueuedEmail) => boolean,
): void {
  for (const [key, email] of emails) if (isDeleted(email)) emails.delete(key);
}
