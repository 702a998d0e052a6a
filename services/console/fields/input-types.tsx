import type { ComponentType } from 'react';
import type { Field } from '../api/metadata.ts';
import { EmailInput, PhoneInput } from './contact-group-input.tsx';
import { type FieldTypeName, isFieldType } from './field-types.ts';
import { FileInputs } from './file-inputs.tsx';
import type { InputProps } from './input-parts.ts';
import { LinkInput, LinksInput, ParentInput } from './link-inputs.tsx';
import { RemindersInput } from './reminders-input.tsx';
import { RichTextInput } from './rich-text.tsx';
import * as inputs from './simple-inputs.tsx';

/** The inputs of field types. The server sets the fields of the other types. */
const inputTypes: Readonly<Partial<Record<FieldTypeName, ComponentType<InputProps>>>> = {
  varchar: inputs.ShortTextInput,
  text: inputs.LongTextInput,
  wysiwyg: RichTextInput,
  barcode: inputs.ShortTextInput,
  colorpicker: inputs.ColorTextInput,
  enum: inputs.OptionInput,
  url: inputs.ShortTextInput,
  bool: inputs.FlagInput,
  int: inputs.WholeNumberInput,
  enumInt: inputs.WholeNumberInput,
  float: inputs.FractionInput,
  enumFloat: inputs.FractionInput,
  decimal: inputs.ShortTextInput,
  date: inputs.DayInput,
  datetime: inputs.TimeInput,
  datetimeOptional: inputs.OptionalTimeInput,
  multiEnum: inputs.OptionsInput,
  checklist: inputs.OptionsInput,
  urlMultiple: inputs.TextsInput,
  array: inputs.TextsInput,
  jsonObject: inputs.JsonInput,
  jsonArray: inputs.JsonInput,
  email: EmailInput,
  phone: PhoneInput,
  address: inputs.AddressInput,
  currency: inputs.MoneyInput,
  rangeInt: inputs.RangeInput,
  rangeFloat: inputs.RangeInput,
  link: LinkInput,
  linkMultiple: LinksInput,
  linkParent: ParentInput,
  file: FileInputs,
  image: FileInputs,
  attachmentMultiple: (props) => <FileInputs {...props} isSeveral />,
};

function inputOf({ type, holds }: Field): ComponentType<InputProps> | undefined {
  if (holds === 'reminders') return RemindersInput;
  return isFieldType(type) ? inputTypes[type] : undefined;
}

/** The input of a field; null if the server sets it. */
export function FieldInput(props: InputProps) {
  const Input = inputOf(props.field);
  return Input === undefined ? null : <Input {...props} />;
}

/** True if users can set the field. */
export function isEntered(field: Field): boolean {
  const { readOnly, notStorable } = field;
  return readOnly !== true && notStorable !== true && inputOf(field) !== undefined;
}
