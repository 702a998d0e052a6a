import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { FieldType } from '../../field-type.ts';
import { boolType } from '../choice/bool.ts';
import { enumType } from '../choice/enum.ts';
import { varcharType } from '../text/varchar.ts';

/**
 * A column of a multiple link. In lists, it is called `attribute` when seen from the record with the ids, and
 * `foreignAttribute` from the far side.
 */
export interface ColumnDefinition {
  readonly type: 'varchar' | 'enum' | 'bool';
  readonly maxLength?: number;
  readonly options?: readonly string[];
  readonly default?: string | boolean;
  readonly attribute?: string;
  readonly foreignAttribute?: string;
}

const columnTypes: Readonly<Record<ColumnDefinition['type'], FieldType>> = {
  varchar: varcharType,
  enum: enumType,
  bool: boolType,
};

/** Compiles the reader of a column. Columns are read like fields of the same type. */
export function compileColumn(
  rule: AttributeRule,
  column: ColumnDefinition,
): ReadAttribute | undefined {
  return columnTypes[column.type].compileReader?.(rule, column);
}
