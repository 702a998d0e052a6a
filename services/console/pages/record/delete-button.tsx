import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Entity } from '../../api/metadata.ts';
import { recordQuery, removeRecord } from '../../api/records.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from './use-undo.tsx';

export function DeleteButton(props: {
  readonly entity: Entity;
  readonly id: string;
  readonly name: string;
}) {
  const t = useText();
  const { entity, id, name } = props;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const undo = useUndo();
  const [isOpen, dialog] = useDisclosure();
  const removing = useMutation({
    mutationFn: () => removeRecord(entity.name, id),
    onSuccess: async () => {
      undo.afterDelete({ entity: entity.name, id }, name);
      // The Back button must load the record again.
      queries.removeQueries({ queryKey: recordQuery(entity.name, id).queryKey });
      await navigate({ to: '/records/$entity', params: { entity: entity.name } });
      void queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('record.delete')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={t('record.deleteTitle', { name })}>
        <Stack>
          <Text size="sm">{t('record.deleteText')}</Text>
          {removing.error === null ? null : <ErrorDetails error={removing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={dialog.close}>
              {t('record.cancel')}
            </Button>
            <Button color="red" loading={removing.isPending} onClick={() => removing.mutate()}>
              {t('record.delete')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
