import { Stack } from '@mantine/core';
import { useRouter } from '@tanstack/react-router';
import { useText } from '../language/language.tsx';
import { LoadError } from '../parts/page/load-error.tsx';
import { PageTitle } from '../parts/page/page-title.tsx';

/** Replaces a page that has thrown an error. The rest of the console keeps working. */
export function PageError({
  error,
  reset,
}: {
  readonly error: unknown;
  readonly reset: () => void;
}) {
  const t = useText();
  const router = useRouter();
  return (
    <Stack p="md">
      <PageTitle>{t('shell.bug')}</PageTitle>
      <LoadError
        error={error}
        onRetry={() => {
          reset();
          void router.invalidate();
        }}
      />
    </Stack>
  );
}
