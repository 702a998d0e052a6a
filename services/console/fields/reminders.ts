import { useQuery } from '@tanstack/react-query';
import { isMailOnQuery } from '../api/recovery.ts';
import { useFormat } from '../language/format.ts';
import { useText } from '../language/language.tsx';
import type { ValueProps } from './simple-values.tsx';

export interface Reminder {
  readonly type: string;
  readonly seconds: number;
}

/** Returns the reminders in the value of a field, without invalid entries. */
export function remindersIn(value: unknown): readonly Reminder[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((entry: unknown) => {
    const { type, seconds } = Object(entry);
    return typeof type === 'string' && typeof seconds === 'number' ? [{ type, seconds }] : [];
  });
}

/** Returns a function that writes how long before an activity a reminder is due: `10 min before`. */
export function useLeadTime(): (seconds: number) => string {
  const t = useText();
  const format = useFormat();
  return (seconds) =>
    seconds === 0
      ? t('reminders.onTime')
      : t('reminders.before', { time: format.duration(seconds) });
}

/** Shows when a user is reminded of an activity. */
export function RemindersValue({ record, name }: ValueProps) {
  const t = useText();
  const leadTime = useLeadTime();
  const { data: isMailOn = false } = useQuery(isMailOnQuery);
  return remindersIn(record[name])
    .filter(({ type }) => isMailOn || type === 'Popup')
    .map(({ type, seconds }) => {
      const time = leadTime(seconds);
      return type === 'Email' ? t('reminders.timeByEmail', { time }) : time;
    })
    .join(', ');
}
