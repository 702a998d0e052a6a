import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type BoardGroup, placeCards } from '../../api/board.ts';
import { randomHex } from '../../api/client.ts';
import type { Entity } from '../../api/metadata.ts';
import { updateRecord } from '../../api/records.ts';
import { untilWritten, useMarkUnread } from '../../api/write.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { nameOfCard } from './card.tsx';
import { groupOf } from './move-card.ts';

interface MovedCard {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** The ids of the card and of all cards before it in its new group. */
  readonly ids: readonly string[];
  /** The board after the move. */
  readonly groups: readonly BoardGroup[];
}

/**
 * Changes the status of a moved card and stores its place. `moved` is the board to show until it is loaded again, so
 * that cards do not jump back.
 */
export function useMoveCard(entity: Entity, field: string) {
  const t = useText();
  const queries = useQueryClient();
  const undo = useUndo();
  const markUnread = useMarkUnread();
  const [moved, setMoved] = useState<readonly BoardGroup[]>();
  const mutationKey = ['move card', entity.name];
  const { mutate } = useMutation({
    mutationKey,
    // A later move of the same card must not overtake an earlier one.
    scope: { id: `move card ${entity.name}` },
    async mutationFn({ id, from, to, ids }: MovedCard) {
      const record = { entity: entity.name, id, key: randomHex(16) };
      const written =
        from === to ? undefined : await untilWritten(updateRecord(record, { [field]: to }));
      await placeCards(entity.name, to, ids);
      return written;
    },
    async onSuccess(written, { id, from, groups }) {
      const place = { entity: entity.name, id };
      if (written === undefined) return;
      if (written.kind === 'readable') await undo.afterUpdate(place, { [field]: from });
      else {
        const card = groupOf(groups, id)?.list.find((one) => one.id === id);
        void markUnread({ ...place, name: card ? nameOfCard(card) : id, token: written.token });
      }
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: t('board.notMoved'),
        message: <ErrorDetails error={error} />,
      }),
    async onSettled() {
      await queries.invalidateQueries({ queryKey: ['records', entity.name] });
      // Another move may have started in the meantime.
      if (queries.isMutating({ mutationKey }) <= 1) setMoved(undefined);
    },
  });
  return {
    moved,
    move(card: MovedCard): void {
      setMoved(card.groups);
      mutate(card);
    },
  };
}
