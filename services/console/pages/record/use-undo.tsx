import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { recordQuery, restoreRecord, updateRecord } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { offerUndo } from '../../parts/offer-undo.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

interface Place {
  readonly entity: string;
  readonly id: string;
}

/** Says that something was done to a record, and takes it back if the user wants: as far as they may. */
export function useUndo() {
  const t = useText();
  const queries = useQueryClient();
  const { user } = useUser();
  const offer = ({ entity, id }: Place, message: string, act: () => Promise<unknown>): void =>
    offerUndo({
      id: `undo-${entity}-${id}`,
      message,
      label: t('record.undo'),
      async undo() {
        try {
          await act();
          notifications.show({ message: t('record.undone') });
        } catch (error) {
          notifications.show({
            color: 'red',
            title: t('record.notUndone'),
            message: <ErrorDetails error={error} />,
          });
        }
        await queries.invalidateQueries({ queryKey: ['records'] });
      },
    });
  return {
    afterDelete(place: Place, name: string): void {
      const message = t('record.deleted', { name });
      // Only administrators bring records back.
      if (!user.isAdmin) notifications.show({ message });
      else offer(place, message, async () => restoreRecord(place.entity, place.id));
    },
    /** The values before are a new change, refused if somebody was quicker. */
    async afterUpdate({ entity, id }: Place, before: Values): Promise<void> {
      const { tag } = await queries.fetchQuery({ ...recordQuery(entity, id), staleTime: 0 });
      offer({ entity, id }, t('record.saved'), async () =>
        updateRecord({ entity, id, tag }, before),
      );
    },
  };
}
