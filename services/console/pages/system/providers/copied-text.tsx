import { Group } from '@mantine/core';
import { Copy } from '../../../parts/copy/copy.tsx';

/** A text with a button that copies it. */
export function CopiedText({ text }: { readonly text: string }) {
  return (
    <Group gap="xs">
      <span>{text}</span>
      <Copy size="compact-xs" value={text} label={text} />
    </Group>
  );
}
