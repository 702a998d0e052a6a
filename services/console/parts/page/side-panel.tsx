import { CloseButton, Drawer, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../language/language.tsx';

/**
 * A drawer next to the page. Composed from the library's parts, because the library's standard header would be a second
 * banner landmark.
 */
export function SidePanel(props: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const t = useText();
  const { title, isOpen, onClose } = props;
  return (
    <Drawer.Root opened={isOpen} onClose={onClose} position="right" size="lg">
      <Drawer.Overlay />
      <Drawer.Content aria-label={title}>
        <Drawer.Body pt="md">
          <Group justify="space-between" mb="md">
            <Title order={2} size="h4">
              {title}
            </Title>
            <CloseButton aria-label={t('parts.close')} onClick={onClose} />
          </Group>
          {props.children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
