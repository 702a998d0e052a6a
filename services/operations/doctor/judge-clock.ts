import { type Finding, findingsAbout } from './finding.ts';

/** Milliseconds since 1970: the other clock, and this one right before and after the question. */
export interface ClockReading {
  readonly there: number;
  readonly before: number;
  readonly after: number;
}

const OFTEN_MS = 2_000;
/** Signatures of webhooks are good for five minutes, codes of the second factor for half a one. */
const TOO_MUCH_MS = 30_000;

/** How far another clock is from this one's. The time that the question took is doubt, not difference. */
export function judgeClock(about: string, { there, before, after }: ClockReading): Finding {
  const { ok, warning, fault } = findingsAbout(about);
  const difference = there < before ? before - there : Math.max(0, there - after);
  if (difference < OFTEN_MS) return ok('has the same time as this host');
  const direction = there < before ? 'behind' : 'ahead of';
  const says = `is ${(difference / 1000).toFixed(1)} s ${direction} this host`;
  const remedy = 'let every machine set its clock by NTP (chrony, systemd-timesyncd)';
  return difference < TOO_MUCH_MS ? warning(says, remedy) : fault(says, remedy);
}
