import { Center, Group, NativeSelect, Paper, Stack, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { AppUser } from '../api/session.ts';
import { type Language, languages, useLanguage, useText } from '../language/language.tsx';
import { Hint } from '../parts/hint.tsx';
import { Logo } from '../parts/page/logo.tsx';
import { isLoopback } from './is-loopback.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { SignInForm } from './sign-in-form.tsx';

export function SignInPage({ onDone }: { readonly onDone: (user: AppUser) => void }) {
  const t = useText();
  useEffect(() => {
    document.title = `${t('signIn.submit')} · Annals`;
  }, [t]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} radius="md">
        <Stack>
          <Group wrap="nowrap">
            <Logo />
            <Title order={1} size="h3">
              {t('signIn.title')}
            </Title>
          </Group>
          <SignInForm onDone={onDone} />
          <ProviderButtons />
          {/* Users can read the output of npm start only on the server's machine. */}
          {isLoopback(location.hostname) ? <Hint>{t('signIn.where')}</Hint> : null}
          <Group justify="flex-end">
            <LanguageMenu />
          </Group>
        </Stack>
      </Paper>
    </Center>
  );
}

/** Each language is listed under its native name, so that its speakers recognize it. */
function LanguageMenu() {
  const { language, choose, t } = useLanguage();
  return (
    <NativeSelect
      size="xs"
      aria-label={t('account.language')}
      value={language}
      onChange={({ currentTarget }) => choose(currentTarget.value as Language)}
      data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
    />
  );
}
