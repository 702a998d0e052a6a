import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readJsonArray } from './read-json-object.ts';

/** Any JSON list. */
export const jsonArrayType: FieldType<FieldBase<'jsonArray', readonly string[]>> = {
  name: 'jsonArray',
  isCreatable: true,
  isUnordered: true,
  layout: 'hidden',
  parts: () => [{ kind: 'json', schema: { type: ['array', 'null'] } }],
  compileReader: (rule) => (value, report) => readJsonArray(rule, value, report),
};
