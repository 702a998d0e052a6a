import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { ApiError, isSignedOut, Unreachable } from '../../api/errors.ts';
import { useText } from '../../language/language.tsx';

/** That something could not be loaded, why, and how to try again. What is passing is tried again by itself. */
export function LoadError({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const t = useText();
  return (
    <Alert color="red" variant="light" title={titleOf(error, t)} role="alert" maw={720}>
      <Stack gap="xs">
        <ErrorDetails error={error} />
        {onRetry === undefined ? null : (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('shell.retry')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Status, reason and the number of the request, by which an operator finds it in the log. */
export function ErrorDetails({ error }: { readonly error: unknown }) {
  const t = useText();
  return (
    <Stack gap={4}>
      <Text size="sm">{reasonOf(error, t)}</Text>
      {error instanceof ApiError || error instanceof Unreachable ? (
        <Text size="xs" component="div">
          {t('shell.errorRequest', { id: '' })}
          <Code>{error.requestId}</Code>
        </Text>
      ) : null}
    </Stack>
  );
}

type Texts = ReturnType<typeof useText>;

function titleOf(error: unknown, t: Texts): string {
  if (error instanceof Unreachable) return t('shell.unreachable');
  if (error instanceof ApiError) {
    return error.status === 503 ? t('shell.unavailable') : t('shell.failed');
  }
  return t('shell.bug');
}

function reasonOf(error: unknown, t: Texts): string {
  if (error instanceof Unreachable) return t('shell.unreachableText');
  // Somebody who sees it has signed in again.
  if (isSignedOut(error)) return t('shell.signedOutMeanwhile');
  if (error instanceof ApiError) {
    return t('shell.errorDetails', { status: `${error.status}`, reason: error.message });
  }
  return error instanceof Error ? error.message : String(error);
}
