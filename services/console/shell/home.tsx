import { Stack } from '@mantine/core';
import { Navigate } from '@tanstack/react-router';
import { useMetadata } from '../api/metadata.ts';
import { isAdministrator } from '../api/rights.ts';
import { useUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { Empty } from '../parts/page/empty.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';
import { tabsOf } from './tabs.ts';

/** Administrators start with the overview, other users with their day. */
export function Home() {
  const metadata = useMetadata();
  if (isAdministrator(useUser())) return <Navigate to="/overview" replace />;
  return tabsOf(metadata).length === 0 ? <NoAccess /> : <Navigate to="/home" replace />;
}

function NoAccess() {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('home.welcome')}</PageTitle>
      <Empty title={t('home.noAccess')} text={t('home.noAccessText')} />
    </Stack>
  );
}
