import {
  ActionIcon,
  NativeSelect,
  Popover,
  Stack,
  TextInput,
  type TextInputProps,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCalendar } from '@tabler/icons-react';
import { type KeyboardEvent, useState } from 'react';
import {
  type DatePatterns,
  patternsOf,
  readDay,
  readMoment,
  writeClock,
  writeDay,
} from '../../language/date-patterns.ts';
import { useLocale } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { localDay } from '../../language/local-time.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import { MonthGrid } from './month-grid.tsx';

type Kind = 'day' | 'time';

interface Props extends Omit<TextInputProps, 'onChange' | 'type' | 'value'> {
  readonly kind: Kind;
  /** `2030-01-31`, or `2030-01-31T14:05` on the clocks of the user's time zone. Empty without a value. */
  readonly value: string;
  /** Receives such a value, an empty text, or a text that is neither, which the server rejects. */
  readonly onChange: (value: string) => void;
}

/** An input for a day, or a day and a time of day: typed in the user's format, or picked from a calendar. */
export function MomentInput({ kind, value, onChange, ...others }: Props) {
  const t = useText();
  const format = useMomentFormat(kind);
  const typing = useTyping(format, { value, onChange });
  const [isOpen, { open, close }] = useDisclosure();
  const pick = (picked: string): void => {
    typing.forget();
    onChange(picked);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') typing.settle();
    if (event.key === 'ArrowDown' && event.altKey) open();
  };
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-end"
      trapFocus
      returnFocus
      withRoles={false}
    >
      <Popover.Target>
        <TextInput
          placeholder={format.placeholder}
          autoComplete="off"
          {...others}
          error={
            typing.isWrong
              ? t('dates.invalid', { example: format.write(examples[kind]) })
              : others.error
          }
          value={typing.text}
          onChange={({ currentTarget }) => typing.type(currentTarget.value)}
          onBlur={typing.settle}
          onKeyDown={onKeyDown}
          rightSection={
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('dates.open')}
              aria-haspopup="dialog"
              aria-expanded={isOpen}
              onClick={open}
            >
              <IconCalendar size={16} aria-hidden="true" />
            </ActionIcon>
          }
        />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={t('dates.calendar')} w={280}>
        <Picker kind={kind} value={value} format={format} onPick={pick} onClose={close} />
      </Popover.Dropdown>
    </Popover>
  );
}

const examples: Readonly<Record<Kind, string>> = { day: '2030-01-31', time: '2030-01-31T14:05' };

interface MomentFormat {
  readonly patterns: DatePatterns;
  readonly today: string;
  readonly placeholder: string;
  /** Returns undefined if the text is not a day, or not a time. */
  readonly read: (text: string) => string | undefined;
  /** Writes a valid value in the user's format. Returns other texts unchanged. */
  readonly write: (value: string) => string;
}

function useMomentFormat(kind: Kind): MomentFormat {
  const t = useText();
  const settings = useTimeSettings();
  const patterns = patternsOf(useLocale(), settings);
  const today = localDay(new Date(), settings.timeZone);
  const letters = patterns.day
    .replaceAll('Y', t('dates.yearLetter'))
    .replaceAll('D', t('dates.dayLetter'));
  return {
    patterns,
    today,
    placeholder: kind === 'day' ? letters : `${letters} ${clockLetters(patterns)}`,
    read: (text) => (kind === 'day' ? readDay : readMoment)(text, patterns.day, today),
    write(value) {
      const [, day, clock] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d).*)?$/.exec(value) ?? [];
      if (day === undefined) return value;
      const text = writeDay(day, patterns);
      return clock === undefined ? text : `${text} ${writeClock(clock, patterns)}`;
    },
  };
}

/** Returns the pattern of the time of day as users read it: `h:mm AM`. */
function clockLetters({ clock }: DatePatterns): string {
  return clock.replace('A', 'AM').replace('a', 'am');
}

/** The text of an input while the user is typing. */
function useTyping(format: MomentFormat, { value, onChange }: Pick<Props, 'onChange' | 'value'>) {
  const [draft, setDraft] = useState<string>();
  const [isLeft, setLeft] = useState(false);
  return {
    text: draft ?? format.write(value),
    isWrong: isLeft && draft !== undefined,
    type(text: string): void {
      setDraft(text);
      setLeft(false);
      const read = format.read(text);
      if (text.trim() === '') onChange('');
      // A year that is not complete yet would be another year.
      else if (read !== undefined && /\d{4}/.test(text)) onChange(read);
    },
    settle(): void {
      if (draft === undefined) return;
      const read = draft.trim() === '' ? '' : format.read(draft);
      if (read !== undefined) setDraft(undefined);
      setLeft(true);
      if ((read ?? draft) !== value) onChange(read ?? draft);
    },
    forget: () => setDraft(undefined),
  };
}

const MORNING = '09:00';

function Picker(props: {
  readonly kind: Kind;
  readonly value: string;
  readonly format: MomentFormat;
  readonly onPick: (value: string) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const { kind, value, format, onPick, onClose } = props;
  const [, day = '', clock] = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d).*)?$/.exec(value) ?? [];
  if (kind === 'day') {
    return (
      <MonthGrid
        day={day}
        onPick={(picked) => {
          onPick(picked);
          onClose();
        }}
      />
    );
  }
  const times = [...new Set([...halfHours, clock ?? MORNING])].toSorted();
  return (
    <Stack gap="xs">
      <MonthGrid day={day} onPick={(picked) => onPick(`${picked}T${clock ?? MORNING}`)} />
      <NativeSelect
        label={t('dates.time')}
        value={clock ?? MORNING}
        data={times.map((time) => ({ value: time, label: writeClock(time, format.patterns) }))}
        onChange={({ currentTarget }) =>
          onPick(`${day === '' ? format.today : day}T${currentTarget.value}`)
        }
      />
    </Stack>
  );
}

const halfHours = Array.from(
  { length: 48 },
  (_, index) =>
    `${String(Math.floor(index / 2)).padStart(2, '0')}:${index % 2 === 0 ? '00' : '30'}`,
);
