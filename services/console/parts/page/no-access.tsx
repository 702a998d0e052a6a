import { Stack, Text } from '@mantine/core';
import { useTypeLabel } from '../../api/metadata.ts';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { TextLink } from '../link.tsx';
import { NotFound } from './not-found.tsx';
import { PageTitle } from './page-title.tsx';

/** The page in place of one that the user's permissions do not include. */
export function NoAccess({ text }: { readonly text: string }) {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('errors.noAccess')}</PageTitle>
      <Text>{text}</Text>
      <TextLink to="/">{t('errors.toHome')}</TextLink>
    </Stack>
  );
}

const typeName = /^[A-Z][A-Za-z0-9]*$/;

/**
 * The page of an entity type that the API does not list for the user. Only administrators know that it does not exist:
 * the API does not reveal types without access.
 */
export function UnknownType({ name }: { readonly name: string }) {
  const t = useText();
  const label = useTypeLabel();
  if (isAdministrator(useUser()) || !typeName.test(name)) return <NotFound />;
  return <NoAccess text={t('errors.noTypeAccess', { entity: label(name) })} />;
}
