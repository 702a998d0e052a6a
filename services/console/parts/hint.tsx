import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

/** An explanation next to the content. */
export function Hint({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" c="dimmed">
      {children}
    </Text>
  );
}
