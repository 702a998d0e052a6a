import { Text } from '@mantine/core';
import { isEmptyIn } from '../../fields/field-types.ts';
import type { ValueProps } from '../../fields/simple-values.tsx';
import { FieldValue } from '../../fields/value-types.tsx';
import { AnyValue } from '../../parts/any-value.tsx';

/** Shows the value of a field, or of an attribute without a field; a dash if it is empty. */
export function FieldValueOrDash({ record, name, entity }: ValueProps) {
  const field = entity.fields[name];
  if (field === undefined || isEmptyIn(entity, name, record)) {
    return <AnyValue value={field === undefined ? record[name] : null} />;
  }
  return (
    // A clamped text is a block by default, which would break a change into two lines.
    <Text
      span
      size="sm"
      className="field-value"
      lineClamp={8}
      style={{ display: '-webkit-inline-box', verticalAlign: 'bottom' }}
    >
      <FieldValue record={record} name={name} entity={entity} field={field} />
    </Text>
  );
}
