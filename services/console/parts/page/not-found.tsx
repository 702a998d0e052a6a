import { Stack, Text } from '@mantine/core';
import { useText } from '../../language/language.tsx';
import { TextLink } from '../link.tsx';
import { PageTitle } from './page-title.tsx';

export function NotFound() {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('shell.notFound')}</PageTitle>
      <Text>{t('shell.notFoundText')}</Text>
      <TextLink to="/">{t('shell.toHome')}</TextLink>
    </Stack>
  );
}
