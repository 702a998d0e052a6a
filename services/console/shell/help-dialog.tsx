import { Group, Kbd, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { useEffect } from 'react';
import { useText } from '../language/language.tsx';

const openEvent = 'annals-help';

export function openHelp(): void {
  window.dispatchEvent(new Event(openEvent));
}

/** Lists the keyboard shortcuts that work on every page. */
export function HelpDialog() {
  const t = useText();
  const [isOpen, { open, close }] = useDisclosure();
  const shortcuts = [
    [t('shell.paletteKeys'), t('shell.helpPalette')],
    ['/', t('shell.helpSearch')],
    [t('shell.saveKeys'), t('shell.helpSave')],
    ['F2', t('shell.helpCell')],
    ['?', t('shell.helpHelp')],
    ['Esc', t('shell.helpEscape')],
  ] as const;
  useHotkeys([
    ['shift+?', open, { usePhysicalKeys: false }],
    ['?', open],
    ['/', focusSearch],
  ]);
  useEffect(() => {
    window.addEventListener(openEvent, open);
    return () => window.removeEventListener(openEvent, open);
  }, [open]);
  return (
    <Modal opened={isOpen} onClose={close} title={t('shell.help')}>
      <Stack gap="xs">
        {shortcuts.map(([keys, text]) => (
          <Group key={keys} justify="space-between">
            <Text size="sm">{text}</Text>
            <Kbd>{keys}</Kbd>
          </Group>
        ))}
      </Stack>
    </Modal>
  );
}

function focusSearch(): void {
  document.querySelector<HTMLInputElement>('input[type="search"]')?.focus();
}
