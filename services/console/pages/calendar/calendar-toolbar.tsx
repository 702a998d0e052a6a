import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Title } from '@mantine/core';
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { colorAt } from '../../parts/colors.ts';
import { MomentInput } from '../../parts/dates/moment-input.tsx';
import { type CalendarState, dateInPeriod, isDay, type View, views } from './calendar-state.ts';

/** Chooses the period and the view. */
export function CalendarToolbar(props: {
  readonly state: CalendarState;
  readonly title: string;
  readonly today: string;
  readonly onDate: (date: string) => void;
  readonly onView: (view: View) => void;
}) {
  const t = useText();
  const { state, title, today, onDate, onView } = props;
  return (
    <Group justify="space-between" gap="xs">
      <Group gap="xs">
        <Button variant="default" onClick={() => onDate(today)}>
          {t('calendar.today')}
        </Button>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={t('calendar.previous')}
          onClick={() => onDate(dateInPeriod(state.date, state.view, -1))}
        >
          <IconChevronLeft size={18} aria-hidden="true" />
        </ActionIcon>
        <ActionIcon
          variant="default"
          size="input-sm"
          aria-label={t('calendar.next')}
          onClick={() => onDate(dateInPeriod(state.date, state.view, 1))}
        >
          <IconChevronRight size={18} aria-hidden="true" />
        </ActionIcon>
        <MomentInput
          kind="day"
          w={150}
          aria-label={t('calendar.goTo')}
          value={state.date}
          onChange={(day) => isDay(day) && onDate(day)}
        />
        <Title order={2} size="h4" aria-live="polite">
          {title}
        </Title>
      </Group>
      <SegmentedControl
        aria-label={t('calendar.view')}
        value={state.view}
        onChange={(view) => onView(view as View)}
        data={views.map((value) => ({ value, label: t(`calendar.${value}`) }))}
      />
    </Group>
  );
}

/** Chooses the entity types that are shown. */
export function TypeFilter(props: {
  readonly entities: readonly Entity[];
  readonly hidden: readonly string[];
  /** True if the colours of events are those of their types. */
  readonly isLegend: boolean;
  readonly onChange: (hidden: readonly string[]) => void;
}) {
  const t = useText();
  const { entities, hidden, isLegend, onChange } = props;
  return (
    <Group gap="md" role="group" aria-label={t('calendar.types')}>
      {entities.map(({ name, labelPlural }, index) => (
        <Checkbox
          key={name}
          size="xs"
          {...(isLegend ? { color: colorAt(index) } : {})}
          label={labelPlural}
          checked={!hidden.includes(name)}
          onChange={({ currentTarget: { checked } }) =>
            onChange(checked ? hidden.filter((one) => one !== name) : [...hidden, name])
          }
        />
      ))}
    </Group>
  );
}
