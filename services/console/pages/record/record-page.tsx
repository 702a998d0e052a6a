import { Group, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useRef, useState } from 'react';
import { ApiError, isQuarantine, isTransient } from '../../api/errors.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { type ReadRecord, recordQuery } from '../../api/records.ts';
import { recordRight, useRecordRights } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useUnreadRecords } from '../../api/write.ts';
import { RecordAvatar } from '../../fields/avatar.tsx';
import { useText } from '../../language/language.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { NoAccess, UnknownType } from '../../parts/page/no-access.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { PendingPage } from '../../parts/page/pending.tsx';
import { iconOf } from '../../parts/type-icon.ts';
import { UnreadNotice } from '../../parts/unread-notice.tsx';
import { DeletedNotice, DeletedRecord } from './deleted-record.tsx';
import { useEditAccess } from './facts/edit-access.ts';
import { MergedRecord, mergeTargetIn } from './merged-record.tsx';
import { RecordActions, TimeButton } from './record-actions.tsx';
import styles from './record-columns.module.css';
import { emptyDraft, RecordStream } from './record-stream.tsx';
import { type RecordState, RecordTabs, recordReaders } from './record-tabs.tsx';
import { Ownership, RecordSide } from './side/record-side.tsx';
import { StarButton } from './star-button.tsx';
import { TimeLine } from './time/time-line.tsx';
import { type TimeLineState, useTimeLine } from './time/use-time-line.ts';

const EditRecord = lazy(async () => ({
  default: (await import('./edit-record.tsx')).EditRecord,
}));

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
  const name = typeof record['name'] === 'string' && record['name'] ? record['name'] : record.id;
  // Administrators can read deleted records.
  const isDeleted = record['deleted'] === true;
  const [isTimeShown, showTime] = useState(false);
  const Icon = iconOf(entity.name);
  const isTimeOpen = isTimeShown || state.version !== undefined || state.tab === 'time';
  // The history tab always has the time line, so closing it there leaves the tab.
  const closeTime = (): void => {
    showTime(false);
    if (state.tab === 'time') change({ tab: undefined, version: undefined });
    else if (state.version !== undefined) change({ version: undefined });
  };
  const timeLine = useTimeLine(entity, record.id, { version: state.version, isOpen: isTimeOpen });
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <Group gap="sm" wrap="nowrap" miw={0}>
          <RecordAvatar
            entity={entity.name}
            template={entity.scope.type}
            id={record.id}
            name={name}
            size="lg"
            icon={<Icon size={20} />}
          />
          <PageTitle>{name}</PageTitle>
          {isEditing || isDeleted ? null : <StarButton entity={entity} record={record} />}
        </Group>
        {isEditing || isDeleted ? null : (
          <RecordActions
            entity={entity}
            record={record}
            name={name}
            isPast={timeLine.past !== undefined}
            onEdit={() => change({ mode: 'edit', version: undefined })}
            time={
              state.tab === 'time' ? null : (
                <TimeButton
                  isOpen={isTimeOpen}
                  onToggle={() => (isTimeOpen ? closeTime() : showTime(true))}
                />
              )
            }
          />
        )}
      </Group>
      <UnreadNotice entity={entity.name} id={record.id} />
      {isDeleted ? <DeletedNotice entity={entity} id={record.id} /> : null}
      {isEditing ? (
        <Suspense fallback={<Skeleton h={240} />}>
          <EditRecord
            entity={entity}
            found={found}
            onDone={() => change({ mode: undefined }, { replace: true })}
          />
        </Suspense>
      ) : (
        <ShownRecord
          entity={entity}
          found={found}
          timeLine={timeLine}
          isTimeOpen={isTimeOpen}
          onTimeClose={closeTime}
          state={state}
          onChange={change}
        />
      )}
    </Stack>
  );
}

interface ShownProps {
  readonly entity: Entity;
  readonly found: ReadRecord;
  readonly timeLine: TimeLineState;
  readonly state: Partial<RecordState>;
  readonly onChange: (change: Partial<RecordState>) => void;
}

/** The selected version of a record. */
function ShownRecord({
  isTimeOpen,
  onTimeClose,
  ...props
}: ShownProps & { readonly isTimeOpen: boolean; readonly onTimeClose: () => void }) {
  const { timeLine, onChange } = props;
  return (
    <>
      {isTimeOpen ? (
        <TimeLine
          timeLine={timeLine}
          onChange={(version) => onChange({ version, compared: undefined })}
          onClose={onTimeClose}
        />
      ) : null}
      {timeLine.isPending ? null : <RecordColumns {...props} />}
    </>
  );
}

/** Windows in which the stream is next to the fields. In narrower windows it is a tab. */
const wideScreen = '(min-width: 80em)';

/**
 * The tabs of a record and, if there is room, a column next to them: planned activities and the stream or, in narrower
 * windows and without a stream, planned activities, owners and followers.
 */
function RecordColumns(props: ShownProps) {
  const { entity, found, timeLine, state, onChange } = props;
  const [draft, setDraft] = useState(emptyDraft);
  const access = useEditAccess(entity, found.record);
  const rights = useRecordRights(entity, found.record);
  const hasStream = entity.scope.stream && rights.stream.isGranted;
  const isWide = useMediaQuery(wideScreen, false, { getInitialValueInEffect: false }) && hasStream;
  const edited = timeLine.past === undefined ? { found, access } : undefined;
  const shown = { entity, record: timeLine.past?.record ?? found.record, edited };
  const stream = hasStream ? (
    <RecordStream
      entity={entity}
      record={shown.record}
      draft={draft}
      onDraft={setDraft}
      isPast={edited === undefined}
      filter={state.show ?? 'all'}
      onFilter={(filter) => onChange({ show: filter === 'all' ? undefined : filter })}
    />
  ) : undefined;
  return (
    <div className={styles['page'] ?? ''}>
      <div className={styles['columns'] ?? ''} data-wide={isWide || undefined}>
        <RecordTabs
          {...props}
          {...shown}
          stream={isWide ? undefined : stream}
          belowFields={isWide ? <Ownership {...shown} columns={2} /> : null}
        />
        <RecordSide {...shown} stream={isWide ? stream : undefined} />
      </div>
    </div>
  );
}
