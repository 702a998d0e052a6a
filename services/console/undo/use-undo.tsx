import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { undoChange } from '../api/mass-actions.ts';
import { recordQuery, restoreRecord, updateRecord } from '../api/records.ts';
import { useUser } from '../api/session.ts';
import type { Values } from '../fields/input-parts.ts';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';

interface Place {
  readonly entity: string;
  readonly id: string;
}

/** Returns functions that report a change of a record and, if the user may undo it, offer to do so. */
export function useUndo() {
  const t = useText();
  const queries = useQueryClient();
  const { user } = useUser();
  const offer = ({ entity, id }: Place, message: ReactNode, act: () => Promise<unknown>): void =>
    offerUndo({
      id: `undo-${entity}-${id}`,
      message,
      label: t('undo.undo'),
      async undo() {
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
      },
    });
  return {
    afterDelete(place: Place, name: string): void {
      const message = t('record.deleted', { name });
      // Only administrators can restore records.
      if (!user.isAdmin) notifications.show({ message });
      else offer(place, message, async () => restoreRecord(place.entity, place.id));
    },
    /** Offers to undo a merge as a whole. Values that have changed since are kept, and the user is informed. */
    afterMerge(target: Place, message: ReactNode, changeId: string): void {
      offer(target, message, async () => {
        const { count, skippedCount } = await undoChange(changeId);
        // Otherwise a restored record would open with the cached error, which leads to the target.
        const queryKey = ['records', target.entity, 'record'];
        queries.removeQueries({ queryKey, type: 'inactive' });
        if (count === 0) throw new Error(t('undo.changedSince'));
        if (skippedCount > 0) notifications.show({ color: 'yellow', message: t('undo.partly') });
      });
    },
    /** Restores the former values as a new change. The server rejects it if the record has changed in between. */
    async afterUpdate({ entity, id }: Place, before: Values): Promise<void> {
      const { tag } = await queries.fetchQuery({ ...recordQuery(entity, id), staleTime: 0 });
      offer({ entity, id }, t('parts.saved'), async () =>
        updateRecord({ entity, id, tag }, before),
      );
    },
  };
}

/**
 * Long enough for reading the message and for reaching the button with the keyboard. Hovering keeps the notification
 * open.
 */
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
