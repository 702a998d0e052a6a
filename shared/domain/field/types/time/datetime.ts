import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readDateTime } from './read-date-time.ts';

/** A point in time in UTC, with a resolution of one second. */
export interface DatetimeField extends FieldBase<'datetime', string> {
  /** Set by Annals: the time at which another attribute changed to this value. */
  readonly stampedWhen?: {
    readonly attribute: string;
    readonly value: string;
    /** Cleared when the attribute changes to a different value. */
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
