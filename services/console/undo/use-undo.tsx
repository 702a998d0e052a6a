import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { recordQuery, restoreRecord, updateRecord } from '../api/records.ts';
import { useRightsOf } from '../api/rights.ts';
import { undoChange } from '../api/undo.ts';
import type { Values } from '../fields/input-parts.ts';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';

interface Place {
  readonly entity: string;
  readonly id: string;
}

/** Returns a mutation that undoes a change as a whole and shows the outcome. */
export function useUndoChange() {
  const perform = usePerform();
  const undoWhole = useUndoWhole();
  return useMutation({
    mutationFn: async (changeId: string) => perform(async () => undoWhole(changeId)),
  });
}

/** Returns a function that undoes something, shows the outcome and reloads the records. */
function usePerform(): (act: () => Promise<unknown>) => Promise<void> {
  const t = useText();
  const queries = useQueryClient();
  return async (act) => {
    try {
      await act();
      notifications.show({ message: t('undo.undone') });
    } catch (error) {
      notifications.show({
        color: 'red',
        title: t('undo.notUndone'),
        message: <ErrorDetails error={error} />,
      });
    }
    await queries.invalidateQueries({ queryKey: ['records'] });
  };
}

const reasons: Readonly<Record<string, 'undo.alreadyUndone' | 'undo.denied'>> = {
  'undo.done': 'undo.alreadyUndone',
  'access.denied': 'undo.denied',
};

/**
 * Returns a function that undoes a change as a whole. Values that have changed since are kept, and a notification says
 * so.
 */
function useUndoWhole(): (changeId: string) => Promise<void> {
  const t = useText();
  return async (changeId) => {
    const { count, skippedCount, reason = '' } = await undoChange(changeId);
    if (count === 0) throw new Error(t(reasons[reason] ?? 'undo.changedSince'));
    if (skippedCount > 0) notifications.show({ color: 'yellow', message: t('undo.partly') });
  };
}

/** Returns functions that report a change to a record and offer to undo it, if the user may do so. */
export function useUndo() {
  const t = useText();
  const queries = useQueryClient();
  const rightsOf = useRightsOf();
  const perform = usePerform();
  const undoWhole = useUndoWhole();
  const offer = ({ entity, id }: Place, message: ReactNode, act: () => Promise<unknown>): void =>
    offerUndo({
      id: `undo-${entity}-${id}`,
      message,
      label: t('undo.undo'),
      undo: async () => perform(act),
    });
  return {
    afterDelete(place: Place, name: string): void {
      const message = t('record.deleted', { name });
      // Restoring a record requires the right to create one.
      if (!rightsOf(place.entity).may('create')) notifications.show({ message });
      else offer(place, message, async () => restoreRecord(place.entity, place.id));
    },
    /** Offers to undo a merge as a whole. */
    afterMerge(target: Place, message: ReactNode, changeId: string): void {
      offer(target, message, async () => {
        await undoWhole(changeId);
        // Otherwise the restored record would open with the cached error, which redirects to the target of the merge.
        const queryKey = ['records', target.entity, 'record'];
        queries.removeQueries({ queryKey, type: 'inactive' });
      });
    },
    /** Restores the former values as a new change. The server rejects it if the record has changed since. */
    async afterUpdate({ entity, id }: Place, before: Values): Promise<void> {
      const { tag } = await queries.fetchQuery({ ...recordQuery(entity, id), staleTime: 0 });
      offer({ entity, id }, t('parts.saved'), async () =>
        updateRecord({ entity, id, tag }, before),
      );
    },
  };
}

/** Long enough to read the message and to reach the button with the keyboard. Hovering keeps the notification open. */
const shownMs = 20_000;

/** Shows a notification about a change, with a button that undoes it. */
function offerUndo(offer: {
  readonly id: string;
  readonly message: ReactNode;
  readonly label: string;
  readonly undo: () => Promise<void>;
}): void {
  const { id, message, label, undo } = offer;
  notifications.show({
    id,
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm" component="div">
          {message}
        </Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void undo();
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  });
}
