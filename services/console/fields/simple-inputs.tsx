import {
  Checkbox,
  ColorInput,
  Fieldset,
  Group,
  MultiSelect,
  NativeSelect,
  NumberInput,
  SimpleGrid,
  TagsInput,
  Text,
  Textarea,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import { localDay, toApiValue, toLocal, toUtc } from '../language/local-time.ts';
import { useTimeSettings } from '../language/time-settings.ts';
import { MomentInput } from '../parts/dates/moment-input.tsx';
import { useCurrencies } from './currencies.ts';
import { isPercentage } from './field-types.ts';
import { asText, common, type InputProps } from './input-parts.ts';

function set({ name, onChange }: InputProps) {
  return (value: unknown) => onChange({ [name]: value });
}

export function ShortTextInput(props: InputProps) {
  return (
    <TextInput
      {...common(props)}
      value={asText(props)}
      onChange={({ currentTarget }) => set(props)(currentTarget.value)}
    />
  );
}

export function LongTextInput(props: InputProps) {
  return (
    <Textarea
      {...common(props)}
      autosize
      minRows={3}
      maxRows={14}
      value={asText(props)}
      onChange={({ currentTarget }) => set(props)(currentTarget.value)}
    />
  );
}

export function ColorTextInput(props: InputProps) {
  return <ColorInput {...common(props)} value={asText(props)} onChange={set(props)} />;
}

export function FlagInput(props: InputProps) {
  return (
    <Checkbox
      {...common(props)}
      // In the line of the inputs next to it, below their labels.
      mt={{ base: 'lg', md: 32 }}
      checked={props.values[props.name] === true}
      onChange={({ currentTarget }) => set(props)(currentTarget.checked)}
    />
  );
}

export function DayInput(props: InputProps) {
  return (
    <MomentInput
      {...common(props)}
      kind="day"
      value={asText(props)}
      onChange={(day) => set(props)(day || null)}
    />
  );
}

export function WholeNumberInput(props: InputProps) {
  return <FractionInput {...props} isWhole />;
}

export function FractionInput(props: InputProps & { readonly isWhole?: boolean }) {
  const { min, max } = props.field;
  const value = props.values[props.name];
  return (
    <NumberInput
      {...common(props)}
      value={typeof value === 'number' ? value : ''}
      allowDecimal={props.isWhole !== true}
      clampBehavior="none"
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      {...(isPercentage(props.entity, props.name) ? { rightSection: '%' } : {})}
      onChange={(entered) => set(props)(entered === '' ? null : entered)}
    />
  );
}

export function RangeInput(props: InputProps) {
  const part = props.name.charAt(0).toUpperCase() + props.name.slice(1);
  return ['from', 'to'].map((side) => (
    <NumberInput
      key={side}
      {...common(props)}
      label={`${props.label} (${side})`}
      value={(props.values[`${side}${part}`] as number | null) ?? ''}
      onChange={(entered) =>
        props.onChange({ [`${side}${part}`]: entered === '' ? null : entered })
      }
    />
  ));
}

export function OptionInput(props: InputProps) {
  const { options = [] } = props.field;
  const value = asText(props);
  // Includes the current value even if its option has been removed.
  const all = [...new Set(['', ...options, value])];
  const label = (option: string) => props.entity.optionOf(props.name, option);
  return (
    <NativeSelect
      {...common(props)}
      data={all.map((option) => ({ value: option, label: label(option) }))}
      value={value}
      onChange={({ currentTarget }) => set(props)(currentTarget.value || null)}
    />
  );
}

function asTexts({ values, name }: InputProps): string[] {
  const value = values[name];
  return Array.isArray(value) ? value.map(String) : [];
}

export function OptionsInput(props: InputProps) {
  const { options = [], allowCustomOptions } = props.field;
  if (allowCustomOptions === true || options.length === 0) return <TextsInput {...props} />;
  const all = [...new Set([...options, ...asTexts(props)])];
  const data = all.map((value) => ({ value, label: props.entity.optionOf(props.name, value) }));
  return (
    <MultiSelect {...common(props)} data={data} value={asTexts(props)} onChange={set(props)} />
  );
}

export function TextsInput(props: InputProps) {
  return (
    <TagsInput
      {...common(props)}
      data={[...(props.field.options ?? [])]}
      value={asTexts(props)}
      onChange={set(props)}
      acceptValueOnBlur
    />
  );
}

const parts = [
  ['PostalCode', 'forms.postalCode'],
  ['City', 'forms.city'],
  ['State', 'forms.state'],
  ['Country', 'forms.country'],
] as const;

export function AddressInput({ name, label, values, error, onChange }: InputProps) {
  const t = useText();
  return (
    <Fieldset legend={label}>
      <Textarea
        label={t('forms.street')}
        autosize
        minRows={1}
        value={asText({ values, name: `${name}Street` })}
        onChange={({ currentTarget }) => onChange({ [`${name}Street`]: currentTarget.value })}
      />
      <SimpleGrid cols={2} spacing="xs" verticalSpacing="xs" mt="xs">
        {parts.map(([part, text]) => (
          <TextInput
            key={part}
            label={t(text)}
            value={asText({ values, name: `${name}${part}` })}
            onChange={({ currentTarget }) => onChange({ [`${name}${part}`]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {error === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}

/** Keeps the text as typed, and passes on its value whenever it is valid JSON. */
export function JsonInput(props: InputProps) {
  const t = useText();
  const value = props.values[props.name];
  const [text, setText] = useState(() =>
    value === null || value === undefined ? '' : JSON.stringify(value, null, 2),
  );
  const [isWrong, setWrong] = useState(false);
  return (
    <Textarea
      {...common(props)}
      error={isWrong ? t('forms.badJson') : props.error}
      autosize
      minRows={3}
      maxRows={14}
      ff="monospace"
      value={text}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        try {
          const parsed = currentTarget.value.trim() === '' ? null : JSON.parse(currentTarget.value);
          setWrong(false);
          props.onChange({ [props.name]: parsed });
        } catch {
          setWrong(true);
        }
      }}
    />
  );
}

/** An amount, and a currency that has an exchange rate. */
export function MoneyInput(props: InputProps) {
  const t = useText();
  const { name, values, onChange, label } = props;
  const currencies = useCurrencies();
  const currencyName = `${name}Currency`;
  const chosen = asText({ values, name: currencyName });
  const value = values[name];
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <NumberInput
        {...common(props)}
        flex={1}
        value={typeof value === 'number' ? value : ''}
        onChange={(entered) => onChange({ [name]: entered === '' ? null : entered })}
      />
      <NativeSelect
        label={t('forms.currencyAlone')}
        aria-label={t('forms.currency', { label })}
        data={[...new Set([chosen || (currencies[0] ?? ''), ...currencies])]}
        value={chosen || (currencies[0] ?? '')}
        onChange={({ currentTarget }) => onChange({ [currencyName]: currentTarget.value })}
        w={140}
      />
    </Group>
  );
}

/** An input for a time in the user's time zone. The value is in UTC. */
export function TimeInput(props: InputProps) {
  const { timeZone } = useTimeSettings();
  return (
    <MomentInput
      {...common(props)}
      kind="time"
      value={toLocal(asText(props), timeZone)}
      onChange={(local) => set(props)(toApiValue(local, timeZone))}
    />
  );
}

/** An input for a time or a whole day. */
export function OptionalTimeInput(props: InputProps) {
  const t = useText();
  const { timeZone } = useTimeSettings();
  const { name, values, onChange } = props;
  const dayName = `${name}Date`;
  const day = asText({ values, name: dayName });
  const [isWhole, setWhole] = useState(day !== '');
  return (
    <Group align="flex-end" wrap="nowrap" gap="xs">
      {isWhole ? (
        <MomentInput
          {...common(props)}
          flex={1}
          kind="day"
          value={day}
          onChange={(entered) => onChange({ [dayName]: entered || null })}
        />
      ) : (
        <MomentInput
          {...common(props)}
          flex={1}
          kind="time"
          value={toLocal(asText(props), timeZone)}
          onChange={(local) => onChange({ [name]: toApiValue(local, timeZone) })}
        />
      )}
      <Checkbox
        label={t('forms.wholeDay')}
        aria-label={`${props.label}: ${t('forms.wholeDay')}`}
        mb={8}
        checked={isWhole}
        onChange={({ currentTarget: { checked } }) => {
          setWhole(checked);
          const first = toLocal(asText(props), timeZone).slice(0, 10);
          onChange(
            checked
              ? { [dayName]: first || localDay(new Date(), timeZone), [name]: null }
              : { [dayName]: null, [name]: toUtc(`${day}T00:00`, timeZone) },
          );
        }}
      />
    </Group>
  );
}
