import { Button, FileButton, Group, Progress, Stack } from '@mantine/core';
import { IconPaperclip } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { uploadAll } from '../../api/files.ts';
import type { Entity } from '../../api/metadata.ts';
import { type AnyRecord, recordQuery, updateRecord } from '../../api/records.ts';
import { useRecordRights, useRights } from '../../api/rights.ts';
import { fieldTypeOf } from '../../fields/field-types.ts';
import { useText } from '../../language/language.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Hint } from '../../parts/hint.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  /** The area on which files can be dropped. */
  readonly children: ReactNode;
}

/** Adds files to a record that has a file field, without a form. */
export function AttachFiles({ entity, record, children }: Props) {
  const rights = useRights(entity.name);
  const { edit } = useRecordRights(entity, record);
  const [field] =
    Object.entries(entity.fields).find(
      ([name, field]) =>
        fieldTypeOf(field).holdsFiles === 'many' &&
        field.readOnly !== true &&
        rights.mayEditField(name),
    ) ?? [];
  const isOpen = edit.isGranted && record['deleted'] !== true;
  if (field === undefined || !isOpen) return children;
  return (
    <AttachTo entity={entity} record={record} field={field}>
      {children}
    </AttachTo>
  );
}

function AttachTo({ entity, record: { id }, field, children }: Props & { readonly field: string }) {
  const t = useText();
  const queries = useQueryClient();
  const attaching = useMutation({
    async mutationFn(files: readonly File[]) {
      const uploaded = await uploadAll(files, { entity: entity.name, field });
      const query = { ...recordQuery(entity.name, id), staleTime: 0 };
      const { record, tag } = await queries.fetchQuery(query);
      const current = record[`${field}Ids`];
      const ids = [...(Array.isArray(current) ? current : []), ...uploaded.map((file) => file.id)];
      await updateRecord({ entity: entity.name, id, tag }, { [`${field}Ids`]: ids });
    },
    onSuccess: () => void queries.invalidateQueries({ queryKey: ['records'] }),
  });
  return (
    <DropZone onFiles={(files) => attaching.mutate(files)}>
      <Stack>
        {children}
        <Group gap="xs">
          <FileButton multiple onChange={(files) => attaching.mutate(files)}>
            {(props) => (
              <Button
                {...props}
                variant="default"
                loading={attaching.isPending}
                leftSection={<IconPaperclip size={16} aria-hidden="true" />}
              >
                {t('record.attach')}
              </Button>
            )}
          </FileButton>
          <Hint>{t('record.orDrop')}</Hint>
        </Group>
        {attaching.isPending ? (
          <Progress
            value={100}
            animated
            aria-label={t('forms.uploading', {
              name: attaching.variables.map(({ name }) => name).join(', '),
            })}
          />
        ) : null}
        {attaching.error === null ? null : <ErrorDetails error={attaching.error} />}
      </Stack>
    </DropZone>
  );
}
