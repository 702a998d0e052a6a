import type { ComponentType } from 'react';
import { EmailInput, PhoneInput } from './contact-group-input.tsx';
import { type EnteredTypeName, hasInput } from './field-types.ts';
import { FileInputs } from './file-inputs.tsx';
import type { InputProps } from './input-parts.ts';
import { LinkInput, LinksInput, ParentInput } from './link-inputs.tsx';
import { RemindersInput } from './reminders-input.tsx';
import { RichTextInput } from './rich-text.tsx';
import * as inputs from './simple-inputs.tsx';

/** The inputs of field types. */
const inputTypes: Readonly<Record<EnteredTypeName, ComponentType<InputProps>>> = {
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

/** The input of a field; null if the server sets it. */
export function FieldInput(props: InputProps) {
  if (!hasInput(props.field)) return null;
  const { holds, type } = props.field;
  const Input = holds === 'reminders' ? RemindersInput : inputTypes[type as EnteredTypeName];
  return <Input {...props} />;
}
