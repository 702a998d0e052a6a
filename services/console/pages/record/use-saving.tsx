import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { isConflict, isQuarantine } from '../../api/errors.ts';
import { versionOf } from '../../api/history.ts';
import type { Entity } from '../../api/metadata.ts';
import { type ReadRecord, recordQuery, updateRecord } from '../../api/records.ts';
import { untilWritten, useFormKey, useMarkUnread } from '../../api/write.ts';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { mergeChanges } from './merge-changes.ts';

interface Change {
  readonly values: Values;
  /** The version that the values change. */
  readonly version: ReadRecord;
}

/**
 * Returns the mutation that saves changes of a record and then offers to undo them. Changes of the same record are saved
 * one after the other. `onDone` is called when the page has loaded the saved values, or when they are in the log but
 * reads do not see them yet.
 */
export function useSaving(props: {
  readonly entity: Entity;
  readonly id: string;
  readonly onDone: () => void;
  readonly onConflict: () => void;
}) {
  const t = useText();
  const queries = useQueryClient();
  const undo = useUndo();
  const keyOf = useFormKey();
  const markUnread = useMarkUnread();
  const isMounted = useIsMounted();
  const { entity, id, onDone, onConflict } = props;
  const place = { entity: entity.name, id };
  const { queryKey } = recordQuery(entity.name, id);
  return useMutation({
    scope: { id: `record ${entity.name} ${id}` },
    mutationFn: ({ values, version }: Change) => {
      const tag = tagFor(entity, { values, version }, queries.getQueryData(queryKey));
      return untilWritten(updateRecord({ ...place, tag, key: keyOf(values) }, values));
    },
    async onSuccess(written, { values, version: { record } }) {
      void queries.invalidateQueries({ queryKey: ['records'] });
      if (written.kind === 'unread') {
        const name = String(record['name'] || record.id);
        void markUnread({ ...place, name, token: written.token });
        notifications.show({ message: t('parts.saved') });
      } else {
        const before = Object.keys(values).map((one) => [one, record[one] ?? null] as const);
        try {
          await undo.afterUpdate(place, Object.fromEntries(before));
        } catch {
          // The change may have revoked the user's own access to the record.
          notifications.show({ message: t('parts.saved') });
        }
      }
      if (isMounted.current) onDone();
    },
    onError: (error) => {
      if (isConflict(error)) {
        void queries.invalidateQueries({ queryKey: ['records', entity.name, 'later'] });
        onConflict();
      }
      if (isQuarantine(error)) void queries.invalidateQueries({ queryKey: ['records'] });
      if (!isMounted.current) {
        notifications.show({
          color: 'red',
          title: t('record.notSaved'),
          message: <ErrorDetails error={error} />,
        });
      }
    },
  });
}

/**
 * Returns the tag of the version that the page has loaded last if that version has no conflicting change, such as an
 * own change of another field. Otherwise returns the tag of the edited version, which the server rejects.
 */
function tagFor(
  entity: Entity,
  { values, version }: Change,
  latest: ReadRecord | undefined,
): string {
  if (latest === undefined || versionOf(latest.tag) <= versionOf(version.tag)) return version.tag;
  const { conflicts } = mergeChanges(entity, {
    base: version.record,
    latest: latest.record,
    changed: values,
  });
  return conflicts.length === 0 ? latest.tag : version.tag;
}

/** Returns a reference that is false once the input is gone, so that a late error must be shown elsewhere. */
function useIsMounted() {
  const isMounted = useRef(true);
  useEffect(() => {
    isMounted.current = true;
    return () => {
      isMounted.current = false;
    };
  }, []);
  return isMounted;
}
