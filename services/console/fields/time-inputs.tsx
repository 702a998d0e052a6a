import { Checkbox, Group, TextInput } from '@mantine/core';
import { parseTime } from '../language/format.ts';
import { useText } from '../language/language.tsx';
import { asText, common, type InputProps } from './input-parts.ts';

/** An input for a time in the browser's time zone. The value is in UTC. */
export function TimeInput(props: InputProps) {
  return (
    <TextInput
      {...common(props)}
      type="datetime-local"
      step={1}
      value={toLocal(asText(props))}
      onChange={({ currentTarget }) => props.onChange({ [props.name]: toUtc(currentTarget.value) })}
    />
  );
}

/** An input for a time or a whole day. */
export function OptionalTimeInput(props: InputProps) {
  const t = useText();
  const { name, values, onChange } = props;
  const dayName = `${name}Date`;
  const day = asText({ values, name: dayName });
  const isWhole = day !== '';
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      {isWhole ? (
        <TextInput
          {...common(props)}
          flex={1}
          type="date"
          value={day}
          onChange={({ currentTarget }) => onChange({ [dayName]: currentTarget.value || null })}
        />
      ) : (
        <TextInput
          {...common(props)}
          flex={1}
          type="datetime-local"
          value={toLocal(asText(props))}
          onChange={({ currentTarget }) => onChange({ [name]: toUtc(currentTarget.value) })}
        />
      )}
      <Checkbox
        label={t('record.wholeDay')}
        aria-label={`${props.label}: ${t('record.wholeDay')}`}
        mb={8}
        checked={isWhole}
        onChange={({ currentTarget }) => {
          const today = toLocal(asText(props)).slice(0, 10) || localDay(new Date());
          onChange(
            currentTarget.checked
              ? { [dayName]: today, [name]: null }
              : { [dayName]: null, [name]: toUtc(`${day}T00:00`) },
          );
        }}
      />
    </Group>
  );
}

function localDay(time: Date): string {
  return toLocalIso(time).slice(0, 10);
}

function toLocal(text: string): string {
  const time = text === '' ? undefined : parseTime(text);
  return time === undefined ? '' : toLocalIso(time);
}

function toLocalIso(time: Date): string {
  const shifted = new Date(time.getTime() - time.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

function toUtc(local: string): string | null {
  const time = new Date(local);
  if (local === '' || Number.isNaN(time.getTime())) return null;
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
