import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type RejectedEntry, rejectedQuery, retryRejected } from '../../api/system.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { DiscardButton } from './discard-button.tsx';

interface Props {
  readonly entry: RejectedEntry;
  /** Called when the entry is no longer rejected. */
  readonly onGone?: () => void;
}

/** The actions for a rejected entry: retry and discard. */
export function RejectedActions(props: Props) {
  const { recordId, acknowledged } = props.entry;
  if (acknowledged) return null;
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      {recordId === null ? null : <RetryButton {...props} />}
      <DiscardButton {...props} />
    </Group>
  );
}

function RetryButton({ entry, onGone }: Props) {
  const t = useText();
  const queries = useQueryClient();
  const retrying = useMutation({
    mutationFn: () => retryRejected(entry.id),
    onSuccess: async ({ released, reason }) => {
      if (released) {
        notifications.show({ message: t('log.released') });
        onGone?.();
      } else {
        const title = t('log.stillRefused');
        notifications.show({ color: 'red', title, message: reason, autoClose: false });
      }
      await queries.invalidateQueries({ queryKey: rejectedQuery.queryKey, exact: released });
      await queries.invalidateQueries({ queryKey: ['records'] });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      aria-label={`${t('log.retry')}: ${entry.id}`}
      loading={retrying.isPending}
      onClick={() => retrying.mutate()}
    >
      {t('log.retry')}
    </Button>
  );
}
