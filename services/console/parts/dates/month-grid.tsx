import { ActionIcon, Group, Text, UnstyledButton } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useLocale } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { localDay } from '../../language/local-time.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import { shiftDay, shiftMonth, startOfWeek, weekStartOf, weeksOf } from './month-days.ts';
import classes from './month-grid.module.css';

interface Props {
  /** The selected day; empty if there is none. */
  readonly day: string;
  readonly onPick: (day: string) => void;
}

/** The days of a month, one of which can be picked with the mouse or the keyboard. */
export function MonthGrid({ day, onPick }: Props) {
  const t = useText();
  const { timeZone, weekStart } = useTimeSettings();
  const locale = useLocale();
  const first = weekStart ?? weekStartOf(locale);
  const today = localDay(new Date(), timeZone);
  const [focused, setFocused] = useState(day === '' ? today : day);
  const grid = useRef<HTMLTableElement>(null);
  const hasMoved = useRef(false);
  const format = (options: Intl.DateTimeFormatOptions) => {
    const { format: write } = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
    return (one: string) => write(new Date(`${one}T00:00:00Z`));
  };
  const [month, fullDay] = [
    format({ year: 'numeric', month: 'long' }),
    format({ dateStyle: 'full' }),
  ];
  // biome-ignore lint/correctness/useExhaustiveDependencies: moves the focus when another day is focused
  useEffect(() => {
    if (hasMoved.current) grid.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus();
  }, [focused]);
  const weeks = weeksOf(focused, first);
  const move = (event: KeyboardEvent): void => {
    const next = dayAfterKey(event.key, focused, first);
    if (next === undefined) return;
    event.preventDefault();
    hasMoved.current = true;
    setFocused(next);
  };
  const turn = (months: number): void => {
    hasMoved.current = false;
    setFocused(shiftMonth(focused, months));
  };
  return (
    <div>
      <Group justify="space-between" mb={4}>
        <ActionIcon variant="subtle" aria-label={t('dates.previous')} onClick={() => turn(-1)}>
          <IconChevronLeft size={16} aria-hidden="true" />
        </ActionIcon>
        <Text size="sm" fw={600} aria-live="polite">
          {month(focused)}
        </Text>
        <ActionIcon variant="subtle" aria-label={t('dates.next')} onClick={() => turn(1)}>
          <IconChevronRight size={16} aria-hidden="true" />
        </ActionIcon>
      </Group>
      <table ref={grid} className={classes['grid']} aria-label={month(focused)} onKeyDown={move}>
        <WeekdayRow days={weeks[0] ?? []} short={format({ weekday: 'short' })} />
        <tbody>
          {weeks.map((week) => (
            <tr key={week[0]}>
              {week.map((one) => (
                <td key={one}>
                  <UnstyledButton
                    className={classes['day'] ?? ''}
                    tabIndex={one === focused ? 0 : -1}
                    aria-label={fullDay(one)}
                    aria-pressed={one === day}
                    aria-current={one === today ? 'date' : undefined}
                    data-outside={one.slice(0, 7) !== focused.slice(0, 7) || undefined}
                    {...(one === focused ? { 'data-autofocus': true } : {})}
                    onClick={() => onPick(one)}
                  >
                    {Number(one.slice(8))}
                  </UnstyledButton>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function WeekdayRow(props: {
  readonly days: readonly string[];
  readonly short: (day: string) => string;
}) {
  return (
    <thead>
      <tr>
        {props.days.map((day) => (
          <th key={day} scope="col">
            {props.short(day)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** Returns the day to which a key moves; undefined for other keys. */
function dayAfterKey(key: string, day: string, weekStart: number): string | undefined {
  switch (key) {
    case 'ArrowLeft':
      return shiftDay(day, -1);
    case 'ArrowRight':
      return shiftDay(day, 1);
    case 'ArrowUp':
      return shiftDay(day, -7);
    case 'ArrowDown':
      return shiftDay(day, 7);
    case 'Home':
      return startOfWeek(day, weekStart);
    case 'End':
      return shiftDay(startOfWeek(day, weekStart), 6);
    case 'PageUp':
      return shiftMonth(day, -1);
    case 'PageDown':
      return shiftMonth(day, 1);
    default:
      return undefined;
  }
}
