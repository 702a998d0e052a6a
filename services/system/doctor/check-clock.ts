import { type Finding, findingsAbout } from './finding.ts';

/** In milliseconds since 1970: the other clock, and this host's clock immediately before and after the request. */
interface ClockReading {
  readonly there: number;
  readonly before: number;
  readonly after: number;
}

const OFTEN_MS = 2_000;
/** Webhook signatures are valid for five minutes, second-factor codes for half a minute. */
const TOO_MUCH_MS = 30_000;

/** Compares the clock of `owner` with this host's. The duration of the request counts as uncertainty, not as a difference. */
export function checkClock(owner: string, { there, before, after }: ClockReading): Finding {
  const { ok, warning, fault } = findingsAbout(owner);
  const difference = there < before ? before - there : Math.max(0, there - after);
  if (difference < OFTEN_MS)
    return ok({
      code: 'clock.same',
      says: `The clock of ${owner} agrees with the clock of this host.`,
      parameters: { clock: owner },
    });
  const direction = there < before ? 'behind' : 'ahead of';
  const seconds = (difference / 1000).toFixed(1);
  return (difference < TOO_MUCH_MS ? warning : fault)({
    code: there < before ? 'clock.behind' : 'clock.ahead',
    says: `The clock of ${owner} is ${seconds} s ${direction} the clock of this host.`,
    remedy: 'synchronize the clock of every machine with NTP (chrony, systemd-timesyncd)',
    parameters: { clock: owner, seconds },
  });
}
