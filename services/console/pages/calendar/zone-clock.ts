import { timeIn } from '../../language/local-time.ts';
import { clockIn } from '../../language/zone-clock.ts';
import { shiftDay } from '../../parts/dates/month-days.ts';

/** Converts between moments and the wall clock of one time zone. */
export interface ZoneClock {
  /** Returns what the clock shows at a moment: `2030-01-31T10:00:00`. */
  toWall(moment: Date): string;
  /**
   * Returns the moment at which the clock shows a time. Of a time that occurs twice, when clocks are set back, returns
   * the first; a time that is skipped, when they are set forward, is as much later as was skipped.
   */
  toMoment(wall: string): Date;
}

/** Throws a RangeError if the time zone is unknown. */
export function zoneClock(timeZone: string): ZoneClock {
  return {
    toWall: clockIn(timeZone),
    toMoment: (wall) => timeIn(timeZone, wall.length === 10 ? `${wall}T00:00:00` : wall),
  };
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
  return shiftDay(wall.slice(0, 10), laterDays);
}
