import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readJsonArray } from './read-json-object.ts';

/** Any JSON list. */
export interface JsonArrayField extends FieldBase<'jsonArray', readonly string[]> {}

export const jsonArrayType: FieldType<JsonArrayField> = {
  name: 'jsonArray',
  isCreatable: true,
  isUnordered: true,
  layout: 'hidden',
  parts: () => [{ kind: 'json', schema: { type: ['array', 'null'] } }],
  compileReader: (rule) => (value, report) => readJsonArray(rule, value, report),
};
