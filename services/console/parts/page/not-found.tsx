import { Stack, Text } from '@mantine/core';
import { useText } from '../../language/language.tsx';
import { TextLink } from '../link.tsx';
import { PageTitle } from './page-title.tsx';

export function NotFound() {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('errors.notFound')}</PageTitle>
      <Text>{t('errors.notFoundText')}</Text>
      <TextLink to="/">{t('errors.toHome')}</TextLink>
    </Stack>
  );
}
