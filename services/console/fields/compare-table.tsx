import { Box, Radio, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { useText } from '../language/language.tsx';
import { type Column, DataTable } from '../parts/list/data-table.tsx';
import { attributesOf, isEmptyIn } from './field-types.ts';
import { FieldValue } from './value-types.tsx';

interface Compared {
  readonly record: AnyRecord;
  /** Identifies the record in accessible names. */
  readonly label: string;
  /** Heading of the record's column. */
  readonly title: ReactNode;
}

/** Selects the record from which the value of a field is taken. */
interface ValueChoice {
  readonly chosen: (field: string) => string;
  readonly onChoose: (field: string, id: string) => void;
}

const FIELD_WIDTH = 110;
/** Fits a time in one line. */
const VALUE_WIDTH = 190;

/** Compares the fields of several records, with a column for each record. On narrow screens, each field is a block. */
export function CompareTable(props: {
  readonly label: string;
  readonly entity: Entity;
  readonly names: readonly string[];
  readonly compared: readonly Compared[];
  readonly choice?: ValueChoice;
}) {
  const t = useText();
  const { label, entity, names, compared } = props;
  const columns: readonly Column<string>[] = [
    { label: t('forms.field'), show: (name) => entity.labelOf(name) },
    ...compared.map((one) => ({
      id: one.record.id,
      label: one.label,
      title: one.title,
      show: (name: string) => <Cell {...props} name={name} compared={one} />,
    })),
  ];
  return (
    <Box w="100%">
      <DataTable
        label={label}
        columns={columns}
        rows={names}
        keyOf={(name) => name}
        minWidth={FIELD_WIDTH + VALUE_WIDTH * compared.length}
      />
    </Box>
  );
}

function Cell(props: {
  readonly entity: Entity;
  readonly name: string;
  readonly compared: Compared;
  readonly choice?: ValueChoice;
}) {
  const { entity, name, compared, choice } = props;
  const field = entity.fields[name];
  if (field === undefined) return null;
  const { record, label } = compared;
  const value = isEmptyIn(entity, name, record) ? (
    <Text span size="sm" c="dimmed">
      –
    </Text>
  ) : (
    <FieldValue entity={entity} record={record} name={name} field={field} />
  );
  if (choice === undefined) return <span className="field-value">{value}</span>;
  return (
    <Radio
      size="xs"
      name={`value-of-${name}`}
      className="field-value"
      checked={choice.chosen(name) === record.id}
      onChange={() => choice.onChoose(name, record.id)}
      label={
        <>
          <VisuallyHidden>{`${entity.labelOf(name)}, ${label}: `}</VisuallyHidden>
          {value}
        </>
      }
    />
  );
}

/** Returns the fields whose values are not the same in all records. */
export function differingFields(
  entity: Entity,
  names: readonly string[],
  records: readonly AnyRecord[],
): readonly string[] {
  return names.filter((name) => {
    const values = records.map((record) =>
      JSON.stringify(attributesOf(entity, name).map((attribute) => record[attribute] || null)),
    );
    return new Set(values).size > 1;
  });
}
