import { Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deadCountQuery, redeliverDead } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { DialogActions, DialogButton } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';

interface Props {
  readonly id: string;
  /** The name of the webhook, which distinguishes several such buttons on one page. */
  readonly of?: string;
  /** True next to that name, which the label then omits. */
  readonly isShort?: boolean;
  readonly size?: 'compact-sm';
  readonly onDone?: () => void;
}

/** Sends all failed batches again, after the user has confirmed their number. */
export function RedeliverDeadButton({ id, of, isShort = false, size, onDone }: Props) {
  const t = usePageText();
  const label = t('webhooks.redeliverDead');
  const named = of === undefined ? label : `${label}: ${of}`;
  return (
    <DialogButton
      label={isShort ? label : named}
      aria-label={named}
      title={named}
      {...(size === undefined ? {} : { size, maw: '100%' })}
    >
      {(close) => <Question id={id} onClose={close} onDone={onDone} />}
    </DialogButton>
  );
}

function Question(props: {
  readonly id: string;
  readonly onClose: () => void;
  readonly onDone: (() => void) | undefined;
}) {
  const { id, onClose, onDone } = props;
  const t = usePageText();
  const queries = useQueryClient();
  const dead = useQuery(deadCountQuery(id));
  const sending = useMutation({
    mutationFn: () => redeliverDead(id),
    onSuccess: (count) => {
      notifications.show({ message: t('webhooks.redelivered', { count }) });
      void queries.invalidateQueries({ queryKey: ['webhooks', id] });
      onDone?.();
      onClose();
    },
  });
  const count = dead.data ?? 0;
  return (
    <Stack>
      <ErrorAlert error={dead.error ?? sending.error} />
      {dead.data === undefined ? (
        <Skeleton h={24} />
      ) : (
        <Text size="sm">
          {count === 0 ? t('webhooks.noDead') : t('webhooks.redeliverDeadText', { count })}
        </Text>
      )}
      <DialogActions
        label={count === 0 ? t('webhooks.redeliver') : t('webhooks.sendBatches', { count })}
        isDisabled={count === 0}
        isPending={sending.isPending}
        onAct={() => sending.mutate()}
        onCancel={onClose}
      />
    </Stack>
  );
}
