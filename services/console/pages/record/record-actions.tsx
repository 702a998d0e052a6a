import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconHistory } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { type AnyRecord, recordQuery, removeRecord } from '../../api/records.ts';
import { type RecordRight, useRecordRights, useRightsOf } from '../../api/rights.ts';
import { untilWritten, useMarkUnread } from '../../api/write.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { CopyAs } from '../../parts/copy/copy-as.tsx';
import { DeniedButton } from '../../parts/denied-button.tsx';
import { DialogActions, DialogButton } from '../../parts/dialog.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { useEditAccess } from './facts/edit-access.ts';

/** The buttons in the head of a record's page. A past version cannot be changed. */
export function RecordActions(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly name: string;
  readonly isPast: boolean;
  readonly onEdit: () => void;
  /** The button that shows earlier versions. */
  readonly time: ReactNode;
}) {
  const { entity, record, name, isPast } = props;
  const rights = useRecordRights(entity, record);
  return (
    <Group gap="xs">
      {isPast ? null : (
        <>
          <EditButton entity={entity} record={record} onEdit={props.onEdit} />
          <ConvertButton entity={entity} record={record} />
        </>
      )}
      <Box visibleFrom="sm">
        <CopyAs path={`/${entity.name}/${record.id}`} />
      </Box>
      {isPast ? null : (
        <DeleteButton entity={entity} id={record.id} name={name} right={rights.delete} />
      )}
      {props.time}
    </Group>
  );
}

/** Opens the time line, or closes it and returns to the current version. */
export function TimeButton(props: { readonly isOpen: boolean; readonly onToggle: () => void }) {
  const t = useText();
  return (
    <Button
      variant={props.isOpen ? 'light' : 'default'}
      className="icon-button-narrow"
      title={t('time.open')}
      aria-pressed={props.isOpen}
      leftSection={<IconHistory size={18} aria-hidden="true" />}
      onClick={props.onToggle}
    >
      {t('time.open')}
    </Button>
  );
}

function EditButton(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly onEdit: () => void;
}) {
  const t = useText();
  const { isOffered, denial } = useEditAccess(props.entity, props.record);
  if (!isOffered) return null;
  const label = t('record.edit');
  if (denial !== undefined) return <DeniedButton label={label} reason={denial} />;
  return <Button onClick={props.onEdit}>{label}</Button>;
}

/** The convert button of a record that can be converted and has not been yet. */
function ConvertButton({
  entity,
  record,
}: {
  readonly entity: Entity;
  readonly record: AnyRecord;
}) {
  const t = useText();
  const { edit } = useRecordRights(entity, record);
  const rightsOf = useRightsOf();
  const targets = entity.convertEntityList ?? [];
  const isConverted = record[entity.scope.statusField ?? ''] === entity.convertedStatus;
  if (targets.length === 0 || isConverted || !edit.isGranted) return null;
  if (!targets.some((target) => rightsOf(target).may('create'))) return null;
  return (
    <ButtonLink variant="default" to="/convert/$id" params={{ id: record.id }}>
      {t('convert.convert')}
    </ButtonLink>
  );
}

function DeleteButton(props: {
  readonly entity: Entity;
  readonly id: string;
  readonly name: string;
  readonly right: RecordRight;
}) {
  const t = useText();
  const { entity, id, name, right } = props;
  const navigate = useNavigate();
  const queries = useQueryClient();
  const undo = useUndo();
  const markUnread = useMarkUnread();
  const removing = useMutation({
    mutationFn: () => untilWritten(removeRecord(entity.name, id).then(() => ({ id }))),
    onSuccess: async (written) => {
      if (written.kind === 'unread') {
        void markUnread({ entity: entity.name, id, name, token: written.token, isDeletion: true });
        notifications.show({ message: t('record.deleted', { name }) });
      } else {
        undo.afterDelete({ entity: entity.name, id }, name);
      }
      // The Back button must load the record again.
      queries.removeQueries({ queryKey: recordQuery(entity.name, id).queryKey });
      await navigate({ to: '/records/$entity', params: { entity: entity.name } });
      void queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  if (right.level === 'no') return null;
  if (!right.isGranted) {
    const reason = t(right.level === 'own' ? 'record.deleteOwn' : 'record.deleteTeam');
    return <DeniedButton label={t('record.delete')} reason={reason} />;
  }
  return (
    <DialogButton
      variant="outline"
      color="red"
      label={t('record.delete')}
      title={t('record.deleteTitle', { name })}
    >
      {(close) => (
        <Stack>
          <Text size="sm">{t('record.deleteText')}</Text>
          {removing.error === null ? null : <ErrorDetails error={removing.error} />}
          <DialogActions
            label={t('record.delete')}
            color="red"
            isPending={removing.isPending}
            onAct={() => removing.mutate()}
            onCancel={close}
          />
        </Stack>
      )}
    </DialogButton>
  );
}
