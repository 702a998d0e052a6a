import { Button, Group, Stack, Text, Textarea } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../../api/client.ts';
import { type Finding, findingsQuery, healthQuery } from '../../../api/system.ts';
import { Author } from '../../../fields/author.tsx';
import { usePageText } from '../../../language/page-text.ts';
import { DialogActions, DialogButton } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { Time } from '../../../parts/time.tsx';

const path = '/System/findings/{id}/acknowledgement';
const maxLength = 500;

/** Acknowledges a warning, or shows who acknowledged it. Shows nothing for findings that cannot be acknowledged. */
export function AcknowledgementOf({
  finding,
  says,
}: {
  readonly finding: Finding;
  /** The finding in the user's language. It distinguishes several such buttons for screen readers. */
  readonly says: string;
}) {
  const t = usePageText();
  const { id, acknowledged } = finding;
  if (id === undefined) return null;
  if (acknowledged !== undefined) return <Acknowledged of={says} {...acknowledged} id={id} />;
  return (
    <Group mt={4}>
      <DialogButton
        size="compact-sm"
        label={t('system.acknowledge')}
        aria-label={`${t('system.acknowledge')}: ${says}`}
        title={t('system.acknowledgeTitle')}
      >
        {(close) => <ReasonForm id={id} says={says} onClose={close} />}
      </DialogButton>
    </Group>
  );
}

function ReasonForm(props: {
  readonly id: string;
  readonly says: string;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const { id, says, onClose } = props;
  const refetch = useRefetch();
  const [reason, setReason] = useState('');
  const acknowledging = useMutation({
    mutationFn: () => api.POST(path, { params: { path: { id } }, body: { reason: reason.trim() } }),
    onSuccess: () => {
      onClose();
      notifications.show({ message: t('system.acknowledgedNow') });
    },
    onSettled: refetch,
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (reason.trim() !== '') acknowledging.mutate();
      }}
    >
      <Stack>
        <Text size="sm" className="field-value">
          {says}
        </Text>
        <Text size="sm">{t('system.acknowledgeText')}</Text>
        <ErrorAlert error={acknowledging.error} />
        <Textarea
          label={t('system.acknowledgeReason')}
          required
          data-autofocus
          autosize
          minRows={2}
          maxLength={maxLength}
          value={reason}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
        />
        <DialogActions
          label={t('system.acknowledge')}
          isDisabled={reason.trim() === ''}
          isPending={acknowledging.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Acknowledged(
  props: NonNullable<Finding['acknowledged']> & { readonly id: string; readonly of: string },
) {
  const t = usePageText();
  const { id, of, reason, at } = props;
  const refetch = useRefetch();
  const withdrawing = useMutation({
    mutationFn: () => api.DELETE(path, { params: { path: { id } } }),
    onSuccess: () => notifications.show({ message: t('system.withdrawn') }),
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
    onSettled: refetch,
  });
  return (
    <Group justify="space-between" align="flex-start" mt={4} gap="xs">
      <Text size="sm" className="field-value" flex="1 1 12rem">
        {t('system.acknowledgedBy')} <Author event={props} underline="always" />,{' '}
        <Time value={at} />: {reason}
      </Text>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('system.withdraw')}: ${of}`}
        loading={withdrawing.isPending}
        onClick={() => withdrawing.mutate()}
      >
        {t('system.withdraw')}
      </Button>
    </Group>
  );
}

function useRefetch(): () => Promise<void> {
  const queries = useQueryClient();
  return async () => {
    await Promise.all([
      queries.invalidateQueries(findingsQuery),
      queries.invalidateQueries(healthQuery),
    ]);
  };
}
