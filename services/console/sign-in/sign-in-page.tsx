import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import type { AppUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { LanguageMenu } from '../parts/page/language-menu.tsx';
import { Logo } from '../parts/page/logo.tsx';
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
          <Text size="sm" c="dimmed">
            {t('signIn.where')}
          </Text>
          <Group justify="flex-end">
            <LanguageMenu />
          </Group>
        </Stack>
      </Paper>
    </Center>
  );
}
