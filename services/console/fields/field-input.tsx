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
import type { ReactNode } from 'react';
import type { Field } from '../api/metadata.ts';
import { AddressInput } from './address-input.tsx';
import { FileInputs } from './file-inputs.tsx';
import { asText, common, type InputProps } from './input-parts.ts';
import { JsonInput } from './json-input.tsx';
import { LinkInput, LinksInput, ParentInput } from './link-inputs.tsx';
import { MoneyInput } from './money-input.tsx';
import { OptionalTimeInput, TimeInput } from './time-inputs.tsx';

type Input = (props: InputProps) => ReactNode;

/** What a field is entered with. Null for one that Annals sets itself. */
export function FieldInput(props: InputProps) {
  const input = Object.hasOwn(inputs, props.field.type) ? inputs[props.field.type] : undefined;
  return input === undefined ? null : input(props);
}

/** Whether people may set a field of this type. */
export function isEntered({ type, readOnly, notStorable }: Field): boolean {
  return readOnly !== true && notStorable !== true && Object.hasOwn(inputs, type);
}

const inputs: Readonly<Record<string, Input>> = {
  varchar: text,
  barcode: text,
  url: text,
  email: text,
  phone: text,
  text: longText,
  wysiwyg: longText,
  colorpicker: (props) => (
    <ColorInput {...common(props)} value={asText(props)} onChange={set(props)} />
  ),
  enum: (props) => <Choice {...props} />,
  enumInt: number,
  enumFloat: number,
  int: number,
  float: number,
  duration: number,
  decimal: text,
  bool: (props) => (
    <Checkbox
      {...common(props)}
      mt="lg"
      checked={props.values[props.name] === true}
      onChange={({ currentTarget }) => set(props)(currentTarget.checked)}
    />
  ),
  multiEnum: severalOptions,
  checklist: severalOptions,
  array: severalTexts,
  urlMultiple: severalTexts,
  date: (props) => (
    <TextInput
      {...common(props)}
      type="date"
      value={asText(props)}
      onChange={({ currentTarget }) => set(props)(currentTarget.value || null)}
    />
  ),
  datetime: (props) => <TimeInput {...props} />,
  datetimeOptional: (props) => <OptionalTimeInput {...props} />,
  address: (props) => <AddressInput {...props} />,
  currency: (props) => <MoneyInput {...props} />,
  rangeInt: range,
  rangeFloat: range,
  link: (props) => <LinkInput {...props} />,
  linkParent: (props) => <ParentInput {...props} />,
  linkMultiple: (props) => <LinksInput {...props} />,
  file: (props) => <FileInputs {...props} />,
  image: (props) => <FileInputs {...props} />,
  attachmentMultiple: (props) => <FileInputs {...props} isSeveral />,
  jsonObject: (props) => <JsonInput {...props} />,
  jsonArray: (props) => <JsonInput {...props} />,
};

function set({ name, onChange }: InputProps) {
  return (value: unknown) => onChange({ [name]: value });
}

function text(props: InputProps) {
  return (
    <TextInput
      {...common(props)}
      value={asText(props)}
      onChange={({ currentTarget }) => set(props)(currentTarget.value)}
    />
  );
}

function longText(props: InputProps) {
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

function number(props: InputProps) {
  const { type, min, max } = props.field;
  const value = props.values[props.name];
  return (
    <NumberInput
      {...common(props)}
      value={typeof value === 'number' ? value : ''}
      allowDecimal={type === 'float' || type === 'enumFloat'}
      clampBehavior="none"
      {...(min === undefined ? {} : { min })}
      {...(max === undefined ? {} : { max })}
      onChange={(entered) => set(props)(entered === '' ? null : entered)}
    />
  );
}

function range(props: InputProps) {
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

function Choice(props: InputProps) {
  const { options = [] } = props.field;
  const value = asText(props);
  // A value that is no option any more is shown as well.
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

function severalOptions(props: InputProps) {
  const { options = [], allowCustomOptions } = props.field;
  if (allowCustomOptions === true || options.length === 0) return severalTexts(props);
  const data = [...new Set([...options, ...asTexts(props)])];
  return (
    <MultiSelect {...common(props)} data={data} value={asTexts(props)} onChange={set(props)} />
  );
}

function severalTexts(props: InputProps) {
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
