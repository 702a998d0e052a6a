import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './entry-list.module.css';

export interface Entry {
  readonly key: string;
  readonly title: ReactNode;
  /** A second line. */
  readonly detail: ReactNode;
  /** When it happens or happened. */
  readonly when: ReactNode;
}

/** A short list of records or changes. */
export function EntryList(props: {
  readonly label: string;
  readonly entries: readonly Entry[];
  /** Shown instead of an empty list. */
  readonly empty: string;
}) {
  if (props.entries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {props.empty}
      </Text>
    );
  }
  return (
    <Stack
      component="ul"
      gap="xs"
      m={0}
      p={0}
      className={styles['list'] ?? ''}
      aria-label={props.label}
    >
      {props.entries.map(({ key, title, detail, when }) => (
        <li key={key}>
          <Group justify="space-between" align="flex-start" wrap="nowrap" gap="md">
            <div className="field-value">
              <Text size="sm">{title}</Text>
              <Text size="xs" c="dimmed">
                {detail}
              </Text>
            </div>
            <Text size="xs" c="dimmed" ta="right" flex="none" component="div">
              {when}
            </Text>
          </Group>
        </li>
      ))}
    </Stack>
  );
}
