import { HOUR_MS } from '../mail/queued-email.ts';
import { changedBy, type RecordEvent } from '../record/record-event.ts';

/** The latest changes that a user made to their own e-mail address. Times are in milliseconds since 1970. */
export interface OwnAddressChange {
  /** The first of these changes, which identifies them. */
  readonly eventId: string;
  readonly userId: string;
  /** The address before the first of these changes; null if the user had none. */
  readonly before: string | null;
  readonly firstAtMs: number;
  readonly latestAtMs: number;
}

export interface OwnAddressChanges {
  /** The changes less than 24 hours ago. */
  of(userId: string, now: number): OwnAddressChange | undefined;
  /** May contain older changes. */
  all(): Iterable<OwnAddressChange>;
}

/** The time for which an address that users set for themselves cannot be used to reset a password. */
const DISTRUSTED_MS = 24 * HOUR_MS;

/**
 * The recent changes of users to their own e-mail addresses: a stolen session must not suffice to take over an account
 * by changing its address and resetting its password. Changes by administrators and by provisioning end the distrust.
 */
export function createOwnAddressChanges() {
  const latest = new Map<string, OwnAddressChange>();
  const isRecent = ({ latestAtMs }: OwnAddressChange, now: number) =>
    latestAtMs + DISTRUSTED_MS > now;

  function of(userId: string, now: number): OwnAddressChange | undefined {
    const known = latest.get(userId);
    return known !== undefined && isRecent(known, now) ? known : undefined;
  }

  const index: OwnAddressChanges = { of, all: () => latest.values() };
  return {
    ...index,
    /** `event` is an event of a user. */
    apply(event: RecordEvent): void {
      if (!changedBy(event).includes('emailAddress')) return;
      const { recordId: userId, occurredAt, eventId } = event;
      const { before, after } = addressesIn(event);
      const first = of(userId, occurredAt) ?? { eventId, before, firstAtMs: occurredAt };
      for (const [id, known] of latest) if (!isRecent(known, occurredAt)) latest.delete(id);
      if (isOwn(event) && after !== first.before) {
        latest.set(userId, { ...first, userId, latestAtMs: occurredAt });
      } else latest.delete(userId);
    },
  };
}

function addressesIn({ changes }: RecordEvent): Record<'before' | 'after', string | null> {
  const change = changes.find(({ attribute }) => attribute === 'emailAddress');
  const textOrNull = (value: unknown) => (typeof value === 'string' ? value : null);
  return { before: textOrNull(change?.before), after: textOrNull(change?.after) };
}

/** False for a change by an administrator on behalf of the user. */
function isOwn({ actorId, administratorId, recordId }: RecordEvent): boolean {
  return actorId === recordId && administratorId === undefined;
}
