import {
  Checkbox,
  ColorInput,
  MultiSelect,
  NativeSelect,
  NumberInput,
  TagsInput,
  Textarea,
  TextInput,
} from '@mantine/core';
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
      mt="lg"
      checked={props.values[props.name] === true}
      onChange={({ currentTarget }) => set(props)(currentTarget.checked)}
    />
  );
}

export function DayInput(props: InputProps) {
  return (
    <TextInput
      {...common(props)}
      type="date"
      value={asText(props)}
      onChange={({ currentTarget }) => set(props)(currentTarget.value || null)}
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
  return (
    <NativeSelect
      {...common(props)}
      data={all}
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
  const data = [...new Set([...options, ...asTexts(props)])];
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
