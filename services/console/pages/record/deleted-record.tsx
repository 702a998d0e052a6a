import { Alert, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Entity } from '../../api/metadata.ts';
import { deletedRecordsQuery } from '../../api/undo.ts';
import { parseTime, useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { RestoreButton } from '../../undo/restore-button.tsx';

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

/** Shows who deleted the record to users who may restore it. Other users cannot see whether it existed. */
export function DeletedNotice({ entity, id }: Props) {
  const t = useText();
  const format = useFormat();
  const search = { page: 0, entityType: entity.name, recordId: id };
  const deleted = useQuery(deletedRecordsQuery(search)).data?.list[0];
  const time = parseTime(deleted?.at ?? '');
  return (
    <Alert color="gray" maw={720}>
      <Stack gap="xs" align="flex-start">
        <Text size="sm">
          {deleted === undefined || time === undefined
            ? t('record.isDeletedText')
            : t('bin.deletedBy', {
                name: deleted.deletedByName ?? deleted.deletedById ?? '',
                time: format.time(time),
              })}
        </Text>
        {deleted === undefined ? null : (
          <RestoreButton
            place={{ entity: entity.name, id }}
            name={deleted.recordName ?? entity.label}
          />
        )}
      </Stack>
    </Alert>
  );
}

interface Props {
  readonly entity: Entity;
  readonly id: string;
}
