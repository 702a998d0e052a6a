import { Table } from '@mantine/core';
import type { ReactNode } from 'react';

/** A list of labels with their values. */
export function Facts(props: {
  readonly label: string;
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) {
  return (
    <Table className="facts" withRowBorders={false} verticalSpacing={4} aria-label={props.label}>
      <Table.Tbody>
        {props.facts.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row" fw={500} w={160}>
              {name}
            </Table.Th>
            <Table.Td className="field-value">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
