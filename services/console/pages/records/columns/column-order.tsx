import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import {
  arrayMove,
  SortableContext,
  sortableKeyboardCoordinates,
  useSortable,
  verticalListSortingStrategy,
} from '@dnd-kit/sortable';
import { ActionIcon, Checkbox, Group, Stack } from '@mantine/core';
import { IconGripVertical } from '@tabler/icons-react';
import type { Entity } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { useDragTexts } from '../../../parts/list/use-drag-texts.ts';

interface Props {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
}

/** The shown columns, which can be dragged into another order or hidden. */
export function ColumnOrder({ entity, columns, onChange }: Props) {
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 4 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const texts = useDragTexts((id) => entity.labelOf(String(id)));
  const drop = ({ active, over }: DragEndEvent): void => {
    if (over === null || over.id === active.id) return;
    const [from, to] = [columns.indexOf(String(active.id)), columns.indexOf(String(over.id))];
    onChange(arrayMove([...columns], from, to));
  };
  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={texts}
      onDragEnd={drop}
    >
      <SortableContext items={[...columns]} strategy={verticalListSortingStrategy}>
        <Stack gap="xs">
          {columns.map((name) => (
            <ShownColumn
              key={name}
              name={name}
              label={entity.labelOf(name)}
              // The last column cannot be removed.
              isOnly={columns.length === 1}
              onHide={() => onChange(columns.filter((one) => one !== name))}
            />
          ))}
        </Stack>
      </SortableContext>
    </DndContext>
  );
}

function ShownColumn(props: {
  readonly name: string;
  readonly label: string;
  readonly isOnly: boolean;
  readonly onHide: () => void;
}) {
  const t = useText();
  const { name, label, isOnly, onHide } = props;
  const { attributes, listeners, setNodeRef, setActivatorNodeRef, transform, transition } =
    useSortable({ id: name, attributes: { roleDescription: t('drag.role') } });
  const moved = transform === null ? undefined : `translate3d(0, ${transform.y}px, 0)`;
  return (
    <Group
      ref={setNodeRef}
      gap="xs"
      wrap="nowrap"
      style={{ transform: moved, transition: transition ?? undefined }}
    >
      <ActionIcon
        ref={setActivatorNodeRef}
        variant="subtle"
        size="sm"
        style={{ touchAction: 'none', cursor: 'grab' }}
        {...attributes}
        {...listeners}
        aria-label={t('records.moveColumn', { column: label })}
      >
        <IconGripVertical size={14} aria-hidden="true" />
      </ActionIcon>
      <Checkbox label={label} checked disabled={isOnly} onChange={onHide} />
    </Group>
  );
}
