import { Anchor, Skeleton, Stack, Text } from '@mantine/core';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import {
  type AnyRecord,
  maxMergedRecords,
  mergeRecords,
  recordQuery,
} from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { CompareTable, differingFields } from '../../../fields/compare-table.tsx';
import { attributesOf, isCombinedByMerge, isEntered } from '../../../fields/field-types.ts';
import { useText } from '../../../language/language.tsx';
import { DialogActions, DialogButton } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { LoadError } from '../../../parts/page/load-error.tsx';
import { useUndo } from '../../../undo/use-undo.tsx';
import { defaultSourceOf, oldestOf } from './merge-defaults.ts';
import { MergeHead } from './merge-head.tsx';
import type { Selection } from './selection.ts';

interface Props {
  readonly entity: Entity;
  readonly selection: Selection;
}

/** Merges two or more records, up to the maximum that can be compared. */
export function MergeButton({ entity, selection }: Props) {
  const t = useText();
  const rights = useRights(entity.name);
  if (selection.kind === 'everything' || !rights.may('edit') || !rights.may('delete')) return null;
  const { size } = selection.ids;
  if (size < 2 || size > maxMergedRecords) return null;
  return (
    <DialogButton
      size="compact-sm"
      label={t('many.merge')}
      title={t('many.mergeTitle', { count: size })}
      dialogSize="xl"
    >
      {(close) => <LoadedMerge entity={entity} ids={[...selection.ids]} onClose={close} />}
    </DialogButton>
  );
}

function LoadedMerge(props: {
  readonly entity: Entity;
  readonly ids: readonly string[];
  readonly onClose: () => void;
}) {
  const { entity, ids, onClose } = props;
  const found = useQueries({ queries: ids.map((id) => recordQuery(entity.name, id)) });
  const failed = found.find(({ error }) => error !== null);
  if (failed !== undefined) {
    return <LoadError error={failed.error} onRetry={() => void failed.refetch()} />;
  }
  const records = found.flatMap(({ data }) => (data === undefined ? [] : [data.record]));
  if (records.length < ids.length) return <Skeleton h={240} />;
  return <MergeForm entity={entity} records={records} onClose={onClose} />;
}

const maxCountedRecords = 4;

function MergeForm(props: {
  readonly entity: Entity;
  readonly records: readonly AnyRecord[];
  readonly onClose: () => void;
}) {
  const t = useText();
  const { entity, records, onClose } = props;
  const rights = useRights(entity.name);
  const [targetId, setTarget] = useState(() => oldestOf(records));
  const [chosen, choose] = useState<Readonly<Record<string, string>>>({});
  const merging = useMerging(entity, records);
  const settable = Object.entries(entity.fields).flatMap(([name, field]) =>
    isEntered(field) && rights.mayEditField(name) && !isCombinedByMerge(entity, name) ? [name] : [],
  );
  const names = differingFields(entity, settable, records);
  const sourceOf = (name: string): string =>
    chosen[name] ?? defaultSourceOf({ entity, name }, records, targetId);
  const merge = (): void => {
    const attributes = names.flatMap((name) => {
      const from = records.find(({ id }) => id === sourceOf(name));
      if (from === undefined || from.id === targetId) return [];
      return attributesOf(entity, name).map((attribute) => [attribute, from[attribute] ?? null]);
    });
    const sourceIds = records.map(({ id }) => id).filter((id) => id !== targetId);
    merging.mutate({ targetId, sourceIds, attributes: Object.fromEntries(attributes) });
  };
  return (
    <Stack>
      <Text size="sm">{t('many.mergeText')}</Text>
      <CompareTable
        label={t('many.mergeValues')}
        entity={entity}
        names={names}
        compared={records.map((record) => ({
          record,
          label: nameOf(record),
          title: (
            <MergeHead
              key={record.id}
              entity={entity}
              record={record}
              isTarget={record.id === targetId}
              withLinks={records.length <= maxCountedRecords}
              onChoose={() => setTarget(record.id)}
            />
          ),
        }))}
        choice={{
          chosen: sourceOf,
          onChoose: (name, id) => choose((before) => ({ ...before, [name]: id })),
        }}
      />
      {names.length === 0 ? <Text size="sm">{t('many.mergeSame')}</Text> : null}
      <ErrorAlert error={merging.error} />
      <DialogActions
        label={t('many.mergeDo', { count: records.length })}
        isPending={merging.isPending}
        onAct={merge}
        onCancel={onClose}
      />
    </Stack>
  );
}

function nameOf(record: AnyRecord | undefined): string {
  return String(record?.['name'] ?? record?.id);
}

/** Merges the records, opens the target and offers to undo the merge. */
function useMerging({ name: entity }: Entity, records: readonly AnyRecord[]) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const undo = useUndo();
  return useMutation({
    mutationFn: async (merge: Parameters<typeof mergeRecords>[1]) => mergeRecords(entity, merge),
    onSuccess: async (changeId, { targetId, sourceIds }) => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      const name = nameOf(records.find(({ id }) => id === targetId));
      const target = { to: '/records/$entity/$id', params: { entity, id: targetId } } as const;
      await navigate(target);
      const message = (
        <>
          {t('many.merged', { count: sourceIds.length })}{' '}
          {/* Notifications are not inside the router. */}
          <Anchor component="button" type="button" inherit onClick={() => void navigate(target)}>
            {name}
          </Anchor>
        </>
      );
      undo.afterMerge({ entity, id: targetId }, message, changeId);
    },
  });
}
