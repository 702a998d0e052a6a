import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readDate } from './read-date-time.ts';

/** A date without a time zone. */
export const dateType: FieldType<FieldBase<'date', string>> = {
  name: 'date',
  isCreatable: true,
  parts: () => [{ kind: 'date', example: '2030-01-31' }],
  compileReader: (rule) => (value, report) => readDate(rule, value, report),
};
