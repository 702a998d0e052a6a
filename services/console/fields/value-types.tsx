import type { ComponentType } from 'react';
import type { Field } from '../api/metadata.ts';
import { ContactGroupValue } from './contact-group-value.tsx';
import { type FieldTypeName, isFieldType } from './field-types.ts';
import { FilesValue, FileValue } from './file-values.tsx';
import { RemindersValue } from './reminders.ts';
import { RichTextValue } from './rich-text.tsx';
import * as values from './simple-values.tsx';
import { ColourValue, TextValue, type ValueProps } from './simple-values.tsx';

/** The components that show the values of field types. Values of other types are shown as text. */
const valueTypes: Readonly<Partial<Record<FieldTypeName, ComponentType<ValueProps>>>> = {
  enum: values.OptionValue,
  url: values.UrlValue,
  bool: values.FlagValue,
  int: values.NumberValue,
  enumInt: values.NumberValue,
  duration: values.DurationValue,
  autoincrement: values.NumberValue,
  float: values.NumberValue,
  enumFloat: values.NumberValue,
  date: values.DayValue,
  datetime: values.TimeValue,
  datetimeOptional: values.OptionalTimeValue,
  multiEnum: values.ListValue,
  checklist: values.ListValue,
  urlMultiple: values.ListValue,
  array: values.ListValue,
  jsonObject: values.JsonValue,
  jsonArray: values.JsonValue,
  email: ContactGroupValue,
  phone: ContactGroupValue,
  address: values.AddressValue,
  currency: values.MoneyValue,
  currencyConverted: values.ConvertedValue,
  rangeInt: values.RangeValue,
  rangeFloat: values.RangeValue,
  rangeCurrency: values.RangeValue,
  link: values.LinkValue,
  linkOne: values.LinkValue,
  linkMultiple: values.LinksValue,
  linkParent: values.LinkValue,
  file: FileValue,
  image: FileValue,
  attachmentMultiple: FilesValue,
  colorpicker: ColourValue,
  wysiwyg: RichTextValue,
};

/** Shows the value of a field; nothing if it is empty. */
export function FieldValue({ field, ...props }: ValueProps & { readonly field: Field }) {
  const ofType = (isFieldType(field.type) && valueTypes[field.type]) || TextValue;
  const Value = field.holds === 'reminders' ? RemindersValue : ofType;
  return <Value {...props} />;
}
