import type { DueReminder } from '../../api/reminders.ts';
import { type Format, parseTime } from '../../language/format.ts';

const units = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** Returns when the activity starts or is due: `in 10 minutes, 31 Jan 2030, 14:00`, or its day. */
export function reminderText(
  { data: { dateField, attributes } }: DueReminder,
  { format, language, now }: { format: Format; language: string; now: Date },
): string {
  const day = attributes[`${dateField}Date`];
  if (day) return format.day(day);
  const time = parseTime(attributes[dateField] ?? '');
  return time === undefined ? '' : `${distance(time, now, language)}, ${format.time(time)}`;
}

function distance(time: Date, now: Date, language: string): string {
  const texts = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const ms = time.getTime() - now.getTime();
  const [size, unit] = units.find(([min]) => Math.abs(ms) >= min) ?? [60_000, 'minute'];
  // Rounded up, so that an activity in 9 minutes and 50 seconds starts in 10 minutes. Math.ceil() may return -0.
  return texts.format(Math.ceil(ms / size) + 0, unit);
}
