import { CloseButton, Drawer, Group, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useText } from '../../language/language.tsx';

/**
 * Beside the page, which stays as it is. Put together from parts, since the library's own heading would count as a second
 * banner of the page.
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
            <CloseButton aria-label={t('shell.close')} onClick={onClose} />
          </Group>
          {props.children}
        </Drawer.Body>
      </Drawer.Content>
    </Drawer.Root>
  );
}
