import { createContext, useContext } from 'react';

/** How a user wants times to be written. What is undefined follows the browser. */
export interface TimeSettings {
  /** Such as `DD.MM.YYYY`. */
  readonly dateFormat?: string;
  /** Such as `HH:mm` or `hh:mm A`. */
  readonly timeFormat?: string;
  /** The first day of the week, from 0 (Sunday) to 6. */
  readonly weekStart?: number;
  /** Such as `Europe/Berlin`. */
  readonly timeZone?: string;
}

export const TimeSettingsContext = createContext<TimeSettings>({});

export function useTimeSettings(): TimeSettings {
  return useContext(TimeSettingsContext);
}

/** Returns the name of the user's time zone. */
export function useTimeZone(): string {
  const { timeZone } = useTimeSettings();
  return timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Reads the settings from a user's preferences, in which an empty text and -1 mean that nothing is chosen. */
export function readTimeSettings(preferences: unknown): TimeSettings {
  const { dateFormat, timeFormat, weekStart, timeZone } = Object(preferences);
  return {
    ...(isFormat(dateFormat, ['Y', 'M', 'D']) ? { dateFormat } : {}),
    ...(isFormat(timeFormat, ['h', 'm']) ? { timeFormat } : {}),
    ...(Number.isInteger(weekStart) && weekStart >= 0 && weekStart <= 6 ? { weekStart } : {}),
    ...(typeof timeZone === 'string' && isKnownZone(timeZone) ? { timeZone } : {}),
  };
}

/** True if the format contains every part. */
function isFormat(format: unknown, parts: readonly string[]): format is string {
  if (typeof format !== 'string') return false;
  return parts.every((part) => format.toLowerCase().includes(part.toLowerCase()));
}

/** False for zones that the server knows and the browser does not. */
function isKnownZone(name: string): boolean {
  if (name === '') return false;
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
