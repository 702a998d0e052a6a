import { Radio, Table, Text, VisuallyHidden } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { useText } from '../language/language.tsx';
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

/** Compares the fields of several records, with a column for each record. */
export function CompareTable(props: {
  readonly label: string;
  readonly entity: Entity;
  readonly names: readonly string[];
  readonly compared: readonly Compared[];
  readonly choice?: ValueChoice;
}) {
  const t = useText();
  const { label, entity, names, compared } = props;
  return (
    <Table.ScrollContainer minWidth={FIELD_WIDTH + VALUE_WIDTH * compared.length} w="100%">
      <Table withTableBorder aria-label={label} layout="fixed">
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col" w={FIELD_WIDTH}>
              {t('forms.field')}
            </Table.Th>
            {compared.map(({ record, title }) => (
              <Table.Th key={record.id} scope="col">
                {title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {names.map((name) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" className="field-value">
                {entity.labelOf(name)}
              </Table.Th>
              {compared.map((one) => (
                <Table.Td key={one.record.id}>
                  <Cell {...props} name={name} compared={one} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
