import type { AttributeValues } from '../../../value/attribute-values.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readDate, readDateTime } from './read-date-time.ts';

/** A point in time, or a whole day. */
export const datetimeOptionalType: FieldType<FieldBase<'datetimeOptional', string>> = {
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

/** Keeps either a day or a time: a new day replaces the time, and vice versa. If both are new, the day wins. */
function deriveOptionalTime(field: string, given: AttributeValues): AttributeValues | null {
  const day = `${field}Date`;
  if (typeof given[day] === 'string') return { [field]: null };
  return typeof given[field] === 'string' ? { [day]: null } : null;
}
