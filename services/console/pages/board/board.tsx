import {
  type Active,
  DndContext,
  DragOverlay,
  KeyboardSensor,
  type Over,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { Group } from '@mantine/core';
import { useState } from 'react';
import type { BoardGroup } from '../../api/board.ts';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { Scroller } from '../../parts/list/scroller.tsx';
import { useDragTexts } from '../../parts/list/use-drag-texts.ts';
import { nameOfCard, RecordCard } from './card.tsx';
import { findTarget, groupOfDropId, moveByKey } from './drag-rules.ts';
import { GroupColumn } from './group-column.tsx';
import { groupOf, idsUpTo, moveCard } from './move-card.ts';
import { useMoveCard } from './use-move-card.tsx';

interface Props {
  readonly entity: Entity;
  /** The field whose options are the groups. */
  readonly field: string;
  readonly cardFields: readonly string[];
  readonly sumOf: string | undefined;
  readonly groups: readonly BoardGroup[];
  /** Requests more cards for a group that shows `length` cards. */
  readonly onMore: (group: string, length: number) => void;
}

type Groups = readonly BoardGroup[];

/** Columns of cards that can be dragged with the pointer and the keyboard. */
export function Board({ entity, field, cardFields, sumOf, groups: loaded, onMore }: Props) {
  const t = useText();
  const [dragged, setDragged] = useState<{ readonly id: string; readonly groups: Groups }>();
  const { moved, move } = useMoveCard(entity, field);
  const settled = moved ?? loaded;
  const groups = dragged?.groups ?? settled;
  const group = dragged && groupOf(groups, dragged.id);
  const card = group?.list.find(({ id }) => id === dragged?.id);
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: moveByKey }),
  );
  const texts = useBoardTexts(groups, (group) => entity.optionOf(field, group));
  const over = (active: Active, place: Over | null): void => {
    const id = String(active.id);
    const target = place === null ? undefined : targetOf(groups, String(place.id));
    if (target === undefined || target.to === groupOf(groups, id)?.name) return;
    setDragged({ id, groups: moveCard(groups, { id, sumOf, ...target }) });
  };
  const end = (active: Active, place: Over | null): void => {
    const id = String(active.id);
    const target = place === null ? undefined : targetOf(groups, String(place.id));
    const after = target === undefined ? settled : moveCard(groups, { id, sumOf, ...target });
    setDragged(undefined);
    const [from, to] = [groupOf(settled, id), groupOf(after, id)];
    if (from === undefined || to === undefined || isSamePlace(from, to, id)) return;
    move({ id, from: from.name, to: to.name, ids: idsUpTo(to, id), groups: after });
  };

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={findTarget}
      accessibility={texts}
      onDragStart={({ active }) => setDragged({ id: String(active.id), groups: settled })}
      onDragOver={(moving) => over(moving.active, moving.over)}
      onDragEnd={(moving) => end(moving.active, moving.over)}
      onDragCancel={() => setDragged(undefined)}
    >
      <Scroller label={t('board.title', { entity: entity.labelPlural })}>
        <Group gap="sm" wrap="nowrap" align="stretch" pb="xs">
          {groups.map((group) => (
            <GroupColumn
              key={group.name}
              entity={entity}
              field={field}
              cardFields={cardFields}
              sumOf={sumOf}
              group={group}
              onMore={() => onMore(group.name, group.list.length)}
            />
          ))}
        </Group>
      </Scroller>
      <DragOverlay dropAnimation={null}>
        {group === undefined || card === undefined ? null : (
          <RecordCard entity={entity} record={card} status={group.name} cardFields={cardFields} />
        )}
      </DragOverlay>
    </DndContext>
  );
}

/** Names cards and groups for screen readers. */
function useBoardTexts(groups: Groups, labelOf: (group: string) => string) {
  const nameOf = (id: string): string => {
    const group = groupOfDropId(id);
    if (group !== undefined) return labelOf(group);
    const record = groupOf(groups, id)?.list.find((one) => one.id === id);
    return record === undefined ? id : nameOfCard(record);
  };
  return useDragTexts(
    (id) => nameOf(String(id)),
    (id) => {
      const group = groupOf(groups, String(id));
      const name = nameOf(String(id));
      return group === undefined ? name : `${labelOf(group.name)}: ${name}`;
    },
  );
}

/** Returns the group and the position that a drop id refers to. */
function targetOf(
  groups: Groups,
  dropId: string,
): { readonly to: string; readonly index: number } | undefined {
  const group = groupOfDropId(dropId);
  if (group !== undefined) {
    const found = groups.find(({ name }) => name === group);
    return found && { to: group, index: found.list.length };
  }
  const found = groupOf(groups, dropId);
  return found && { to: found.name, index: found.list.findIndex(({ id }) => id === dropId) };
}

function isSamePlace(from: BoardGroup, to: BoardGroup, id: string): boolean {
  const indexIn = ({ list }: BoardGroup) => list.findIndex((one) => one.id === id);
  return from.name === to.name && indexIn(from) === indexIn(to);
}
