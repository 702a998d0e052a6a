import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import {
  discardRejected,
  type RejectedEntry,
  rejectedEntryQuery,
  rejectedQuery,
  retryRejected,
} from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { DialogActions, DialogButton } from '../../parts/dialog.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

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
  const t = usePageText();
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

/** Discards a rejected entry, after a dialog that states the consequence. */
function DiscardButton(props: Props) {
  const t = usePageText();
  const { entry } = props;
  const title = entry.recordId === null ? 'log.discardEntryTitle' : 'log.discardTitle';
  return (
    <DialogButton
      size="compact-sm"
      aria-label={`${t('log.discard')}: ${entry.id}`}
      label={t('log.discard')}
      title={t(title)}
    >
      {(close) => <Confirmation {...props} onClose={close} />}
    </DialogButton>
  );
}

const consequences = {
  acknowledge: 'log.discardEntryText',
  revert: 'log.discardRevertText',
  delete: 'log.discardDeleteText',
} as const;

function Confirmation({ entry, onGone, onClose }: Props & { readonly onClose: () => void }) {
  const t = usePageText();
  const queries = useQueryClient();
  const { consequence, error } = useConsequence(entry);
  const discarding = useMutation({
    mutationFn: () => discardRejected(entry.id),
    onSuccess: async () => {
      const isGone = entry.recordId !== null;
      onClose();
      notifications.show({ message: t(isGone ? 'log.discarded' : 'log.acknowledged') });
      if (isGone) onGone?.();
      await queries.invalidateQueries({ queryKey: rejectedQuery.queryKey, exact: isGone });
      await queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  const problem = discarding.error ?? error;
  return (
    <Stack>
      {consequence === undefined ? (
        <Skeleton h={40} />
      ) : (
        <Text size="sm">{t(consequences[consequence])}</Text>
      )}
      {problem === null ? null : <ErrorDetails error={problem} />}
      <DialogActions
        label={t('log.discard')}
        color="red"
        isDisabled={consequence === undefined}
        isPending={discarding.isPending}
        onAct={() => discarding.mutate()}
        onCancel={onClose}
      />
    </Stack>
  );
}

/** The effect of a discard; undefined until it is known. A record whose creation was rejected was never stored. */
function useConsequence(entry: RejectedEntry): {
  readonly consequence: keyof typeof consequences | undefined;
  readonly error: Error | null;
} {
  const { entityType, recordId } = entry;
  const { data: rejected } = useQuery(rejectedQuery);
  const first = rejected?.list.find(
    (one) => one.recordId === recordId && one.entityType === entityType,
  );
  const { data, error } = useQuery({
    ...rejectedEntryQuery(first?.id ?? entry.id),
    enabled: recordId !== null,
  });
  if (recordId === null) return { consequence: 'acknowledge', error: null };
  if (data === undefined) return { consequence: undefined, error };
  const isCreation = data.event?.['version'] === 1;
  return { consequence: isCreation ? 'delete' : 'revert', error };
}
