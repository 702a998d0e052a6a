import { ActionIcon, Button, Group, Menu, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { IconUser } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { signOut, useUser } from '../api/session.ts';
import { viewedUserName } from '../api/view-as.ts';
import { type Language, languages, useText } from '../language/language.tsx';
import { type ColorScheme, colorSchemes, useAppearance } from '../parts/appearance.ts';
import { ErrorDetails } from '../parts/page/load-error.tsx';

export function AccountMenu() {
  const t = useText();
  const { user } = useUser();
  const [isOpen, dialog] = useDisclosure();
  const leave = useMutation({
    mutationFn: signOut,
    onSuccess: () => location.assign('/'),
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  const everywhere = (): void => leave.mutate({ everywhere: true });
  return (
    <>
      <Menu position="bottom-end" width={240} offset={12}>
        <Menu.Target>
          <ActionIcon
            variant="default"
            size="lg"
            aria-label={t('account.menu', { name: user.userName })}
          >
            <IconUser size={18} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{user.userName}</Menu.Label>
          {/* The profile manages the sessions of the administrator, not those of the viewed user. */}
          {viewedUserName() === null ? (
            <Menu.Item renderRoot={(rest) => <Link to="/profile" {...rest} />}>
              {t('account.profile')}
            </Menu.Item>
          ) : null}
          <ThemeItems />
          <LanguageItems />
          <Menu.Divider />
          <Menu.Item onClick={() => leave.mutate({ everywhere: false })}>
            {t('account.signOut')}
          </Menu.Item>
          <Menu.Item onClick={dialog.open}>{t('account.signOutEverywhere')}</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Modal opened={isOpen} onClose={dialog.close} title={t('account.signOutEverywhere')}>
        <Stack>
          <Text size="sm">{t('account.signOutEverywhereText')}</Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              {t('parts.cancel')}
            </Button>
            <Button color="red" loading={leave.isPending} onClick={everywhere}>
              {t('account.signOutEverywhere')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function ThemeItems() {
  const t = useText();
  const { colorScheme, chooseColorScheme } = useAppearance();
  return (
    <>
      <Menu.Label>{t('account.theme')}</Menu.Label>
      <Menu.RadioGroup
        value={colorScheme}
        onChange={(scheme) => chooseColorScheme(scheme as ColorScheme)}
      >
        {Object.entries(colorSchemes).map(([scheme, label]) => (
          <Menu.RadioItem key={scheme} value={scheme}>
            {t(label)}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}

function LanguageItems() {
  const t = useText();
  const { language, chooseLanguage } = useAppearance();
  return (
    <>
      <Menu.Label>{t('account.language')}</Menu.Label>
      <Menu.RadioGroup value={language} onChange={(chosen) => chooseLanguage(chosen as Language)}>
        {Object.entries(languages).map(([value, name]) => (
          <Menu.RadioItem key={value} value={value} lang={value}>
            {name}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
