import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readJsonArray } from './read-json-object.ts';
import { readReminders, remindersSchema } from './read-reminders.ts';

interface JsonArrayField extends FieldBase<'jsonArray', readonly string[]> {
  /** Restricts the list to reminders. */
  readonly holds?: 'reminders';
}

/** Any JSON list, or a list of reminders. */
export const jsonArrayType: FieldType<JsonArrayField> = {
  name: 'jsonArray',
  isCreatable: true,
  isUnordered: true,
  layout: 'hidden',
  parts: (_field, { holds }) => [
    holds === undefined
      ? { kind: 'json', schema: { type: ['array', 'null'] } }
      : { kind: 'json', schema: remindersSchema, example: [{ type: 'Popup', seconds: 600 }] },
  ],
  compileReader: (rule, { holds }) => {
    const read = holds === undefined ? readJsonArray : readReminders;
    return (value, report) => read(rule, value, report);
  },
};
