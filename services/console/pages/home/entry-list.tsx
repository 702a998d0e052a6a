import { Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './entry-list.module.css';

export interface Entry {
  readonly key: string;
  /** A button or an avatar in front of the entry. */
  readonly action?: ReactNode;
  readonly title: ReactNode;
  /** Further lines. */
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
      gap="sm"
      m={0}
      p={0}
      className={styles['list'] ?? ''}
      aria-label={props.label}
    >
      {props.entries.map(({ key, action, title, detail, when }) => (
        <Group component="li" key={key} align="flex-start" wrap="nowrap" gap="xs">
          {action}
          <div className={styles['what'] ?? ''}>
            <Text size="sm" component="div">
              {title}
            </Text>
            <Text size="xs" c="dimmed" component="div">
              {detail}
            </Text>
          </div>
          <Text size="xs" c="dimmed" component="div" className={styles['when'] ?? ''}>
            {when}
          </Text>
        </Group>
      ))}
    </Stack>
  );
}
