import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { ApiError, isQuarantine, isSignedOut, Unreachable } from '../../api/errors.ts';
import { useUser } from '../../api/session.ts';
import { ReadOnlyView } from '../../api/view-as.ts';
import { codeText } from '../../language/error-text.ts';
import { type Format, useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { TextLink } from '../link.tsx';

/**
 * Shows that something could not be loaded, with the reason and a retry button. Transient errors are retried
 * automatically.
 */
export function LoadError({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const t = useText();
  const isQuarantined = isQuarantine(error);
  const color = isQuarantined ? 'yellow' : 'red';
  return (
    <Alert color={color} variant="light" title={titleOf(error, t)} role="alert" maw={720}>
      <Stack gap="xs">
        <ErrorDetails error={error} />
        {isQuarantined ? <RejectedLink /> : null}
        {onRetry === undefined ? null : (
          <Group>
            <Button size="xs" variant="default" onClick={onRetry}>
              {t('errors.retry')}
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}

/** Links administrators to the rejected entries. Shows nothing to others. */
function RejectedLink() {
  const t = useText();
  if (!useUser().user.isAdmin) return null;
  return (
    <TextLink size="sm" to="/log" search={{ tab: 'rejected' }}>
      {t('errors.toRejected')}
    </TextLink>
  );
}

/** Shows the reason and, unless fields are invalid, the request id, which an operator can look up in the log. */
export function ErrorDetails({ error }: { readonly error: unknown }) {
  const t = useText();
  const format = useFormat();
  return (
    <Stack gap={4}>
      <Text size="sm">{reasonOf(error, t, format)}</Text>
      {(error instanceof ApiError && error.fields.length === 0) || error instanceof Unreachable ? (
        <Text size="xs" component="div">
          {t('errors.request', { id: '' })}
          <Code>{error.requestId}</Code>
        </Text>
      ) : null}
    </Stack>
  );
}

type Texts = ReturnType<typeof useText>;

function titleOf(error: unknown, t: Texts): string {
  if (error instanceof Unreachable) return t('errors.unreachable');
  if (error instanceof ApiError) {
    if (error.code === 'record.quarantined') return t('errors.quarantined');
    if (error.code === 'change.unstorable') return t('errors.unstorable');
    return error.status === 503 ? t('errors.unavailable') : t('errors.failed');
  }
  return t('errors.bug');
}

function reasonOf(error: unknown, t: Texts, format: Format): string {
  if (error instanceof Unreachable) return t('errors.unreachableText');
  // The message becomes visible only after the user has signed in again.
  if (isSignedOut(error)) return t('errors.sessionEnded');
  if (error instanceof ReadOnlyView) return t('viewAs.readOnly');
  if (error instanceof ApiError) {
    if (error.code === 'record.quarantined') return t('errors.quarantinedText');
    if (error.code === 'change.unstorable') return t('errors.unstorableText');
    const { maxBytes } = Object(Object(error.body).parameters);
    if (typeof maxBytes === 'number')
      return t('errors.fileTooLarge', { size: format.bytes(maxBytes) });
    return codeText(error.code, t) ?? error.message;
  }
  return error instanceof Error ? error.message : String(error);
}
