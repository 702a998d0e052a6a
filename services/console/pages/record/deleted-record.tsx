import { Alert, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { Entity } from '../../api/metadata.ts';
import { restoreRecord } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';

/** The page of a record that does not exist or was deleted. */
export function DeletedRecord({ entity, id }: Props) {
  const t = useText();
  return (
    <Stack p="md">
      <PageTitle>{t('record.isDeleted')}</PageTitle>
      <DeletedNotice entity={entity} id={id} />
    </Stack>
  );
}

/** Shows that the record was deleted. Administrators can restore it. */
export function DeletedNotice({ entity, id }: Props) {
  const t = useText();
  const { user } = useUser();
  const queries = useQueryClient();
  const restoring = useMutation({
    mutationFn: () => restoreRecord(entity.name, id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['records'] });
      notifications.show({ message: t('record.restored', { name: entity.label }) });
    },
  });
  return (
    <Alert color="gray" maw={720}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{t('record.isDeletedText')}</Text>
        {restoring.error === null ? null : <ErrorDetails error={restoring.error} />}
        {user.isAdmin ? (
          <Button
            variant="default"
            loading={restoring.isPending}
            onClick={() => restoring.mutate()}
          >
            {t('record.restore')}
          </Button>
        ) : null}
      </Stack>
    </Alert>
  );
}

interface Props {
  readonly entity: Entity;
  readonly id: string;
}
