import type { AttributeRule, ReadAttribute } from '../../attribute-rule.ts';
import type { FieldType } from '../../field-type.ts';
import { boolType } from '../choice/bool.ts';
import { enumType } from '../choice/enum.ts';
import { varcharType } from '../text/varchar.ts';

/**
 * A column of a link to many, and its names in lists of linked records: seen from the holder and from the other side.
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

/** A column is read like a field of the same type. */
export function compileColumn(
  rule: AttributeRule,
  column: ColumnDefinition,
): ReadAttribute | undefined {
  return columnTypes[column.type].compileReader?.(rule, column);
}
