import { Button, type ButtonProps } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { restoreRecord } from '../api/records.ts';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';

/** Restores a deleted record. */
export function RestoreButton({
  place,
  name,
  ...button
}: Pick<ButtonProps, 'size'> & {
  readonly place: { readonly entity: string; readonly id: string };
  readonly name: string;
}) {
  const t = useText();
  const queries = useQueryClient();
  const restoring = useMutation({
    mutationFn: () => restoreRecord(place.entity, place.id),
    onSuccess: () => notifications.show({ message: t('record.restored', { name }) }),
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('undo.notRestored', { name }),
        message: <ErrorDetails error={error} />,
      }),
    onSettled: async () => queries.invalidateQueries({ queryKey: ['records'] }),
  });
  return (
    <Button
      {...button}
      variant="default"
      aria-label={t('bin.restore', { name })}
      loading={restoring.isPending}
      onClick={() => restoring.mutate()}
    >
      {t('record.restore')}
    </Button>
  );
}
