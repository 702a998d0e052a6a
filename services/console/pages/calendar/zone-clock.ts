/** Converts between moments and the wall clock of one time zone. */
export interface ZoneClock {
  readonly timeZone: string;
  /** Returns what the clock shows at a moment: `2030-01-31T10:00:00`. */
  toWall(moment: Date): string;
  /**
   * Returns the moment at which the clock shows a time. Of a time that occurs twice, when clocks are set back, returns
   * the first; a time that is skipped, when they are set forward, is as much later as was skipped.
   */
  toMoment(wall: string): Date;
}

const HALF_DAY_MS = 43_200_000;

/** Throws a RangeError if the time zone is unknown. */
export function zoneClock(timeZone: string): ZoneClock {
  const format = new Intl.DateTimeFormat('en', {
    timeZone,
    calendar: 'iso8601',
    numberingSystem: 'latn',
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const toWall = (moment: Date): string => {
    const parts = new Map(format.formatToParts(moment).map(({ type, value }) => [type, value]));
    const at = (type: Intl.DateTimeFormatPartTypes): string => parts.get(type) ?? '';
    const day = `${at('year').padStart(4, '0')}-${at('month')}-${at('day')}`;
    return `${day}T${at('hour')}:${at('minute')}:${at('second')}`;
  };
  const offsetAt = (ms: number): number => markerOf(toWall(new Date(ms))) - ms;
  return {
    timeZone,
    toWall,
    toMoment(wall) {
      const marker = markerOf(wall);
      // The offsets before and after a change of clocks, if there is one near this time.
      const before = new Date(marker - offsetAt(marker - HALF_DAY_MS));
      const after = new Date(marker - offsetAt(marker + HALF_DAY_MS));
      const shown = wallOf(marker);
      return toWall(before) === shown || toWall(after) !== shown ? before : after;
    },
  };
}

/** Returns the clock of the user's preferred time zone, or else the browser's. */
export function clockOf(preferred: unknown): ZoneClock {
  const timeZone = browserZone();
  try {
    return zoneClock(typeof preferred === 'string' && preferred !== '' ? preferred : timeZone);
  } catch {
    // Browsers do not know every name that the API accepts.
    return zoneClock(timeZone);
  }
}

export function browserZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns milliseconds that are only meaningful relative to those of other wall-clock times. */
export function markerOf(wall: string): number {
  return Date.parse(wall.length === 10 ? `${wall}T00:00:00Z` : `${wall}Z`);
}

/** The inverse of markerOf. */
export function wallOf(marker: number): string {
  return new Date(marker).toISOString().slice(0, 19);
}

/** Returns the day of a wall-clock time, or one some days later. */
export function dayOf(wall: string, laterDays = 0): string {
  return wallOf(markerOf(wall.slice(0, 10)) + laterDays * 2 * HALF_DAY_MS).slice(0, 10);
}
