import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { deriveOptionalTime } from './derive-optional-time.ts';
import { readDate, readDateTime } from './read-date-time.ts';

/** A moment, or a whole day. */
export interface DatetimeOptionalField extends FieldBase<'datetimeOptional', string> {}

export const datetimeOptionalType: FieldType<DatetimeOptionalField> = {
  name: 'datetimeOptional',
  isCreatable: true,
  carriers: ['', 'Date'],
  parts: () => [
    { kind: 'datetime', example: '2030-01-31 10:00:00' },
    { suffix: 'Date', kind: 'date' },
  ],
  compileReader: (rule) =>
    rule.attribute === rule.field
      ? (value, report) => readDateTime(rule, value, report)
      : (value, report) => readDate(rule, value, report),
  derive: (field) => [(given) => deriveOptionalTime(field, given)],
  describeParts: () => ({ Date: { type: 'date' } }),
};
