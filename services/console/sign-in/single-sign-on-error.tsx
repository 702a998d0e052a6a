import { Alert, Text } from '@mantine/core';
import { ApiError } from '../api/errors.ts';
import { usePageText } from '../language/page-text.ts';
import type { PageKey } from '../messages/en-pages.ts';
import { ErrorDetails } from '../parts/page/load-error.tsx';

/** Texts for errors that users can do something about. The others name the fault, for administrators. */
const texts: Readonly<Record<string, PageKey>> = {
  'sign_in.account_linked': 'singleSignOn.accountLinked',
  'sign_in.expired': 'singleSignOn.expired',
  'sign_in.name_taken': 'singleSignOn.nameTaken',
  'sign_in.no_user': 'singleSignOn.noUser',
  'sign_in.user_type': 'singleSignOn.userType',
};

/** Shows why a sign-in or a link failed. Shows nothing if `error` is null. */
export function SingleSignOnError({ error }: { readonly error: unknown }) {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert">
      <Details error={error} />
    </Alert>
  );
}

function Details({ error }: { readonly error: unknown }) {
  const t = usePageText();
  if (!(error instanceof ApiError)) return <ErrorDetails error={error} />;
  const key = texts[error.code];
  if (key !== undefined) return <Text size="sm">{t(key)}</Text>;
  return (
    <>
      {error.code === 'sign_in.unreachable' ? (
        <Text size="sm">{t('singleSignOn.unreachable')}</Text>
      ) : null}
      <ErrorDetails error={error} />
    </>
  );
}
