import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useText } from '../../language/language.tsx';
import { PageTitle } from './page-title.tsx';

export function NotFound() {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('shell.notFound')}</PageTitle>
      <Text>{t('shell.notFoundText')}</Text>
      <Anchor renderRoot={(props) => <Link to="/" {...props} />}>{t('shell.toHome')}</Anchor>
    </Stack>
  );
}
