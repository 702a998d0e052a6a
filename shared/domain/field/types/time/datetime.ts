import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readDateTime } from './read-date-time.ts';

/** A moment in UTC, to the second. */
export interface DatetimeField extends FieldBase<'datetime', string> {
  /** Set by Annals: the time when another attribute took this value. */
  readonly stampedWhen?: {
    readonly attribute: string;
    readonly value: string;
    /** Set to null when the attribute takes another value. */
    readonly isCleared?: boolean;
  };
}

export const datetimeType: FieldType<DatetimeField> = {
  name: 'datetime',
  isCreatable: true,
  parts: () => [{ kind: 'datetime', example: '2030-01-31 10:00:00' }],
  sources: ({ stampedWhen }) => [stampedWhen?.attribute],
  compileReader: (rule) => (value, report) => readDateTime(rule, value, report),
};
