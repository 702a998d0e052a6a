import { Stack, Text } from '@mantine/core';
import { useTypeLabel } from '../../api/metadata.ts';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { TextLink } from '../link.tsx';
import { NotFound } from './not-found.tsx';
import { PageTitle } from './page-title.tsx';

/** Shown in place of a page that the user may not open. */
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
 * Shown for an entity type that the API does not list for the user. For administrators, this means that the type does
 * not exist. Other users may only lack access to it, because the API does not reveal such types.
 */
export function UnknownType({ name }: { readonly name: string }) {
  const t = useText();
  const label = useTypeLabel();
  if (isAdministrator(useUser()) || !typeName.test(name)) return <NotFound />;
  return <NoAccess text={t('errors.noTypeAccess', { entity: label(name) })} />;
}
