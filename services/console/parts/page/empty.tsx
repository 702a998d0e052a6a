import { Center, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** The empty state of a list: no entries yet, or no matches. For failed requests, use LoadError. */
export function Empty(props: {
  readonly title: string;
  readonly text: string;
  readonly children?: ReactNode;
}) {
  return (
    <Center py="xl" px="md">
      <Stack gap="xs" align="center">
        <Text fw={600}>{props.title}</Text>
        <Text size="sm" c="dimmed" ta="center" maw={480}>
          {props.text}
        </Text>
        {props.children}
      </Stack>
    </Center>
  );
}
