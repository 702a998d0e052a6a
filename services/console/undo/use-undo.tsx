import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { recordQuery, restoreRecord, updateRecord } from '../api/records.ts';
import { useUser } from '../api/session.ts';
import type { Values } from '../fields/input-parts.ts';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';

interface Place {
  readonly entity: string;
  readonly id: string;
}

/** Returns functions that report a change of a record and offer to undo it, if the user may do so. */
export function useUndo() {
  const t = useText();
  const queries = useQueryClient();
  const { user } = useUser();
  const offer = ({ entity, id }: Place, message: string, act: () => Promise<unknown>): void =>
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
    /** Restores the former values as a new change. The server rejects it if the record has changed in between. */
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
  readonly message: string;
  readonly label: string;
  readonly undo: () => Promise<void>;
}): void {
  const { id, message, label, undo } = offer;
  notifications.show({
    id,
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
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
