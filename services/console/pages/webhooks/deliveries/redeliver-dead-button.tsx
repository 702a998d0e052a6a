import { Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { deadCountQuery, redeliverDead } from '../../../api/webhooks.ts';
import { useText } from '../../../language/language.tsx';
import { DialogActions, DialogButton } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';

/** Sends all failed batches again, after the user has confirmed their number. */
export function RedeliverDeadButton({ id }: { readonly id: string }) {
  const t = useText();
  return (
    <DialogButton label={t('webhooks.redeliverDead')} title={t('webhooks.redeliverDead')}>
      {(close) => <Question id={id} onClose={close} />}
    </DialogButton>
  );
}

function Question({ id, onClose }: { readonly id: string; readonly onClose: () => void }) {
  const t = useText();
  const queries = useQueryClient();
  const dead = useQuery(deadCountQuery(id));
  const sending = useMutation({
    mutationFn: () => redeliverDead(id),
    onSuccess: (count) => {
      notifications.show({ message: t('webhooks.redelivered', { count }) });
      void queries.invalidateQueries({ queryKey: ['webhooks', id] });
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
