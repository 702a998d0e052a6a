import { ActionIcon, Burger, Button, Group, Kbd, Text, UnstyledButton } from '@mantine/core';
import { openSpotlight } from '@mantine/spotlight';
import { IconHelp, IconSearch } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useText } from '../language/language.tsx';
import { Bell } from '../pages/notifications/bell.tsx';
import { Logo } from '../parts/page/logo.tsx';
import { AccountMenu } from './account-menu.tsx';
import { HealthSign } from './health-sign.tsx';
import { openHelp } from './help-dialog.tsx';

interface Props {
  readonly isNavigationOpen: boolean;
  readonly onToggleNavigation: () => void;
}

export function Header(props: Props) {
  return (
    <Group h="100%" px="md" justify="space-between" wrap="nowrap">
      <Group gap="sm" wrap="nowrap">
        <NavigationButton {...props} />
        <HomeLink />
      </Group>
      <Group gap="xs" wrap="nowrap">
        <HealthSign />
        <SearchButton />
        <HelpButton />
        <Bell />
        <AccountMenu />
      </Group>
    </Group>
  );
}

/** Shown on narrow screens, which hide the navigation until it is opened. */
function NavigationButton({ isNavigationOpen, onToggleNavigation }: Props) {
  const t = useText();
  return (
    <Burger
      opened={isNavigationOpen}
      onClick={onToggleNavigation}
      hiddenFrom="sm"
      size="sm"
      aria-label={t('shell.openNavigation')}
      aria-expanded={isNavigationOpen}
    />
  );
}

function HomeLink() {
  return (
    <UnstyledButton renderRoot={(rest) => <Link to="/" {...rest} />}>
      <Group gap="xs" wrap="nowrap">
        <Logo />
        <Text fw={700}>Annals</Text>
      </Group>
    </UnstyledButton>
  );
}

function SearchButton() {
  const t = useText();
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconSearch size={14} aria-hidden="true" />}
        rightSection={<Kbd size="xs">{t('shell.paletteKeys')}</Kbd>}
        onClick={openSpotlight}
        visibleFrom="sm"
      >
        {t('search.open')}
      </Button>
      <ActionIcon
        variant="default"
        size="lg"
        onClick={openSpotlight}
        hiddenFrom="sm"
        aria-label={t('search.open')}
      >
        <IconSearch size={18} />
      </ActionIcon>
    </>
  );
}

function HelpButton() {
  const t = useText();
  return (
    <ActionIcon
      variant="default"
      size="lg"
      onClick={openHelp}
      visibleFrom="sm"
      aria-label={t('shell.help')}
    >
      <IconHelp size={18} />
    </ActionIcon>
  );
}
