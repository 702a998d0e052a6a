import { Stack } from '@mantine/core';
import { usePageText } from '../../language/page-text.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { AppearancePanel } from './appearance-panel.tsx';
import { EmailPanel } from './email-panel.tsx';
import { LinkedAccountsPanel } from './linked-accounts-panel.tsx';
import { OwnDetailsPanel } from './own-details-panel.tsx';
import { PasswordPanel } from './password-panel.tsx';
import { PicturePanel } from './picture-panel.tsx';
import { RemindersPanel } from './reminders-panel.tsx';
import { SecondFactorPanel } from './second-factor-panel.tsx';
import { SessionsPanel } from './sessions-panel.tsx';
import { TimePanel } from './time-panel.tsx';

/** The settings that users manage themselves: their details, how they sign in, and how the console looks. */
export function ProfilePage() {
  const t = usePageText();
  return (
    <Stack p="md" maw={900}>
      <PageTitle>{t('profile.title')}</PageTitle>
      <OwnDetailsPanel />
      <PicturePanel />
      <AppearancePanel />
      <TimePanel />
      <RemindersPanel />
      <PasswordPanel />
      <SecondFactorPanel />
      <LinkedAccountsPanel />
      <SessionsPanel />
      <EmailPanel />
    </Stack>
  );
}
