import { Center, Group, NativeSelect, Paper, Stack, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { type Language, languages, useLanguage } from '../language/language.tsx';
import { Logo } from '../parts/page/logo.tsx';

/** The frame of the pages for users who are not signed in. */
export function SignInFrame(props: { readonly title: string; readonly children: ReactNode }) {
  const { title, children } = props;
  useEffect(() => {
    document.title = `${title} · Annals`;
  }, [title]);
  return (
    <Center mih="100dvh" p="md" component="main">
      <Paper withBorder p="xl" w="100%" maw={420} radius="md">
        <Stack>
          <Group wrap="nowrap">
            <Logo />
            <Title order={1} size="h3">
              {title}
            </Title>
          </Group>
          {children}
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
