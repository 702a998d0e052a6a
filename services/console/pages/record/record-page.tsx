import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useRef } from 'react';
import { ApiError, isQuarantine, isTransient } from '../../api/errors.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { type AnyRecord, type ReadRecord, recordQuery, removeRecord } from '../../api/records.ts';
import { type RecordRight, recordRight, useRecordRights, useRightsOf } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { untilWritten, useMarkUnread, useUnreadRecords } from '../../api/write.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { CopyAs } from '../../parts/copy/copy-as.tsx';
import { DeniedButton } from '../../parts/denied-button.tsx';
import { DialogActions, DialogButton } from '../../parts/dialog.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { NoAccess, UnknownType } from '../../parts/page/no-access.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { PendingPage } from '../../parts/page/pending.tsx';
import { UnreadNotice } from '../../parts/unread-notice.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { DeletedNotice, DeletedRecord } from './deleted-record.tsx';
import { EditRecord } from './edit-record.tsx';
import { MergedRecord, mergeTargetIn } from './merged-record.tsx';
import { type RecordState, RecordTabs, recordReaders } from './record-tabs.tsx';

export function RecordPage() {
  const { entity: name, id } = useParams({ from: '/records/$entity/$id' });
  const entity = useMetadata().get(name);
  if (entity === undefined) return <UnknownType name={name} />;
  return <RecordOf key={`${name} ${id}`} entity={entity} id={id} />;
}

function RecordOf({ entity, id }: { readonly entity: Entity; readonly id: string }) {
  const t = useText();
  const [{ mode }] = useSearchState<RecordState>(recordReaders);
  const found = useQuery(recordQuery(entity.name, id));
  const edited = useEdited(entity, found, mode);
  const unread = useUnreadRecords().find((one) => one.entity === entity.name && one.id === id);
  // The server rejects the save if the record can no longer be changed.
  if (edited !== undefined) {
    return <LoadedRecord entity={entity} found={found.data ?? edited} isEditing />;
  }
  const mergedInto = mergeTargetIn(found.error);
  if (mergedInto !== undefined) {
    return <MergedRecord key={mergedInto} entity={entity} targetId={mergedInto} />;
  }
  // A 404 counts even if the record was loaded before.
  if (found.error instanceof ApiError && found.error.status === 404) {
    return unread === undefined ? (
      <DeletedRecord entity={entity} id={id} />
    ) : (
      <UnreadRecordPage entity={entity} id={id} name={unread.name} />
    );
  }
  if (found.error instanceof ApiError && found.error.status === 403) {
    return <NoAccess text={t('record.noRead')} />;
  }
  if (found.data === undefined || isQuarantine(found.error)) {
    return <PendingPage title={entity.label} query={found} />;
  }
  return <LoadedRecord entity={entity} found={found.data} isEditing={false} />;
}

/**
 * Returns the record whose form is open. A form that was opened stays open with its unsaved input, even if the record
 * can no longer be read or changed.
 */
function useEdited(
  entity: Entity,
  { data, error }: { readonly data: ReadRecord | undefined; readonly error: unknown },
  mode: RecordState['mode'],
): ReadRecord | undefined {
  const session = useUser();
  const edited = useRef<ReadRecord>(undefined);
  if (mode !== 'edit') edited.current = undefined;
  else if (data !== undefined && (error === null || isTransient(error))) {
    const { record } = data;
    const { isGranted } = recordRight(session, { entity, record, action: 'edit' });
    if (isGranted && record['deleted'] !== true) edited.current = data;
  }
  return edited.current;
}

/** A record that cannot be shown, because its creation or deletion is not visible to reads yet. */
function UnreadRecordPage(props: {
  readonly entity: Entity;
  readonly id: string;
  readonly name: string;
}) {
  return (
    <Stack p="md">
      <PageTitle>{props.name}</PageTitle>
      <UnreadNotice entity={props.entity.name} id={props.id} />
    </Stack>
  );
}

function LoadedRecord(props: {
  readonly entity: Entity;
  readonly found: ReadRecord;
  readonly isEditing: boolean;
}) {
  const { entity, found, isEditing } = props;
  const { record } = found;
  const [state, change] = useSearchState<RecordState>(recordReaders);
  const rights = useRecordRights(entity, record);
  const name = typeof record['name'] === 'string' && record['name'] ? record['name'] : record.id;
  // Administrators can read deleted records.
  const isDeleted = record['deleted'] === true;
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <PageTitle>{name}</PageTitle>
        {isEditing || isDeleted ? null : (
          <Group gap="xs">
            <EditButton
              entity={entity}
              record={record}
              right={rights.edit}
              onEdit={() => change({ mode: 'edit' })}
            />
            <ConvertButton entity={entity} record={record} />
            <CopyAs path={`/${entity.name}/${record.id}`} />
            <DeleteButton entity={entity} id={record.id} name={name} right={rights.delete} />
          </Group>
        )}
      </Group>
      <UnreadNotice entity={entity.name} id={record.id} />
      {isDeleted ? <DeletedNotice entity={entity} id={record.id} /> : null}
      {isEditing ? (
        <EditRecord
          entity={entity}
          found={found}
          onDone={() => change({ mode: undefined }, { replace: true })}
        />
      ) : (
        <RecordTabs entity={entity} record={record} state={state} onChange={change} />
      )}
    </Stack>
  );
}

function EditButton(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly right: RecordRight;
  readonly onEdit: () => void;
}) {
  const t = useText();
  const { entity, record, right, onEdit } = props;
  const isUnread = useUnreadRecords().some(
    (one) => one.entity === entity.name && one.id === record.id,
  );
  const label = t('record.edit');
  if (right.level === 'no') return null;
  if (!right.isGranted) {
    return (
      <DeniedButton
        label={label}
        reason={t(right.level === 'own' ? 'record.editOwn' : 'record.editTeam')}
      />
    );
  }
  if (isUnread) return <DeniedButton label={label} reason={t('record.editUnread')} />;
  return <Button onClick={onEdit}>{label}</Button>;
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
    <DialogButton label={t('record.delete')} title={t('record.deleteTitle', { name })}>
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
