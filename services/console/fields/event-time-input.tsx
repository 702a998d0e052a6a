import { Fieldset, NativeSelect, SimpleGrid, Switch, Text } from '@mantine/core';
import { useRef, useState } from 'react';
import type { Entity } from '../api/metadata.ts';
import { useText } from '../language/language.tsx';
import { toApiValue, toLocal, toUtc } from '../language/local-time.ts';
import { useTimeSettings } from '../language/time-settings.ts';
import type { MessageKey } from '../messages/en.ts';
import { MomentInput } from '../parts/dates/moment-input.tsx';
import {
  asTimes,
  asWholeDays,
  defaultSeconds,
  partsOfDuration,
  type Switched,
  secondsBetween,
  timesBefore,
  timesIn,
  withDuration,
  withFirstDay,
  withStart,
} from './event-times.ts';
import { asText, type Values } from './input-parts.ts';

interface Props {
  readonly entity: Entity;
  readonly values: Values;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (changed: Values) => void;
}

/** The input for the time of an event: its start, its duration or end, and whether it lasts whole days. */
export function EventTimeInput(props: Props) {
  const t = useText();
  const { timeZone } = useTimeSettings();
  const { entity, values, problems, onChange } = props;
  // Changed only by the switch, because a date input has no value while the user is typing.
  const [isWhole, setWhole] = useState(() => asText({ values, name: 'dateStartDate' }) !== '');
  const mayBeWhole = entity.fields['dateStart']?.type === 'datetimeOptional';
  const switched = useRef<Switched>(undefined);
  const flag = 'isAllDay' in entity.fields;
  const problem = problems.get('duration') ?? problems.get('isAllDay');
  return (
    <Fieldset legend={t('event.when')}>
      {mayBeWhole ? (
        <Switch
          mb="xs"
          label={t('forms.wholeDay')}
          checked={isWhole}
          onChange={({ currentTarget: { checked } }) => {
            setWhole(checked);
            const computed = checked
              ? asWholeDays(values, new Date(), timeZone)
              : asTimes(values, defaultSeconds(entity), new Date(), timeZone);
            const after = timesBefore(switched.current, values) ?? computed;
            switched.current = { before: timesIn(values), after };
            onChange({ ...after, ...(flag ? { isAllDay: checked } : {}) });
          }}
        />
      ) : null}
      <SimpleGrid cols={{ base: 1, xs: isWhole ? 2 : 3 }} spacing="xs" verticalSpacing="xs">
        {isWhole ? <DayInputs {...props} /> : <TimeInputs {...props} />}
      </SimpleGrid>
      {problem === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {problem}
        </Text>
      )}
    </Fieldset>
  );
}

/** Returns the event's duration, or the last valid one while the user is typing a start or an end. */
function useLastSeconds(values: Values): number | undefined {
  const seconds = secondsBetween(values);
  const last = useRef(seconds);
  if (seconds !== undefined) last.current = seconds;
  return last.current;
}

function DayInputs(props: Props) {
  const { values, onChange } = props;
  const seconds = useLastSeconds(values);
  return (
    <>
      <EventMoment
        {...props}
        kind="day"
        name="dateStart"
        value={asText({ values, name: 'dateStartDate' })}
        onEnter={(day) => onChange(withFirstDay(values, day || null, seconds))}
      />
      <EventMoment
        {...props}
        kind="day"
        name="dateEnd"
        value={asText({ values, name: 'dateEndDate' })}
        onEnter={(day) => onChange({ dateEndDate: day || null })}
      />
    </>
  );
}

function TimeInputs(props: Props) {
  const { entity, values, onChange } = props;
  const { timeZone } = useTimeSettings();
  const seconds = useLastSeconds(values) ?? defaultSeconds(entity);
  const localOf = (name: string) => toLocal(asText({ values, name }), timeZone);
  return (
    <>
      <EventMoment
        {...props}
        kind="time"
        name="dateStart"
        value={localOf('dateStart')}
        onEnter={(local) => {
          const start = toUtc(local, timeZone);
          onChange(
            start === null
              ? { dateStart: toApiValue(local, timeZone) }
              : withStart(values, start, seconds),
          );
        }}
      />
      <DurationSelect {...props} />
      <EventMoment
        {...props}
        kind="time"
        name="dateEnd"
        value={localOf('dateEnd')}
        onEnter={(local) => onChange({ dateEnd: toApiValue(local, timeZone) })}
      />
    </>
  );
}

interface MomentProps extends Props {
  readonly kind: 'day' | 'time';
  readonly name: 'dateEnd' | 'dateStart';
  readonly value: string;
  readonly onEnter: (value: string) => void;
}

/** The input of a start or an end. */
function EventMoment({ entity, problems, kind, name, value, onEnter }: MomentProps) {
  return (
    <MomentInput
      kind={kind}
      required
      withAsterisk
      label={entity.labelOf(name)}
      error={problems.get(name)}
      value={value}
      onChange={onEnter}
    />
  );
}

function DurationSelect({ entity, values, onChange }: Props) {
  const t = useText();
  const format = useDurationText();
  const seconds = secondsBetween(values);
  const offered = (entity.fields['duration']?.options ?? []).map(Number);
  const all = [...new Set([...offered, ...(seconds === undefined ? [] : [seconds])])];
  const options = all
    .toSorted((one, other) => one - other)
    .map((one) => ({ value: String(one), label: format(one) }));
  return (
    <NativeSelect
      label={t('event.duration')}
      data={seconds === undefined ? [{ value: '', label: '' }, ...options] : options}
      value={seconds === undefined ? '' : String(seconds)}
      onChange={({ currentTarget }) => onChange(withDuration(values, Number(currentTarget.value)))}
    />
  );
}

const units: readonly (readonly ['days' | 'hours' | 'minutes', MessageKey])[] = [
  ['days', 'event.days'],
  ['hours', 'event.hours'],
  ['minutes', 'event.minutes'],
];

/** Returns a function that writes a number of seconds as `1 h 30 min`. */
function useDurationText(): (seconds: number) => string {
  const t = useText();
  return (seconds) => {
    const parts = partsOfDuration(seconds);
    const texts = units.flatMap(([unit, key]) =>
      parts[unit] === 0 ? [] : [t(key, { count: parts[unit] })],
    );
    return texts.length === 0 ? t('event.minutes', { count: 0 }) : texts.join(' ');
  };
}
