import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { readJsonObject } from './read-json-object.ts';

export const jsonObjectType: FieldType<FieldBase<'jsonObject', never>> = {
  name: 'jsonObject',
  isCreatable: true,
  isUnordered: true,
  layout: 'hidden',
  parts: () => [{ kind: 'json', schema: { type: ['object', 'null'] } }],
  compileReader: (rule) => (value, report) => readJsonObject(rule, value, report),
};
