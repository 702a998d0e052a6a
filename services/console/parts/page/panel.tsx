import { Group, Paper, Title } from '@mantine/core';
import type { ReactNode } from 'react';

/** A section of a page, with a heading. */
export function Panel(props: {
  readonly title: string;
  /** Shown next to the heading. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}) {
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title>{props.title}</Title>
        {props.actions}
      </Group>
      {props.children}
    </Paper>
  );
}
