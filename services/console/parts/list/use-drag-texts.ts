import type { Active, DndContextProps, Over, UniqueIdentifier } from '@dnd-kit/core';
import { useText } from '../../language/language.tsx';

interface Moved {
  readonly active: Active;
  readonly over: Over | null;
}

/**
 * Returns drag-and-drop announcements for screen readers. `placeOf` returns the name of a drop target, by default the
 * name of the item there.
 */
export function useDragTexts(
  nameOf: (id: UniqueIdentifier) => string,
  placeOf = nameOf,
): NonNullable<DndContextProps['accessibility']> {
  const t = useText();
  const name = ({ active }: { readonly active: Active }) => nameOf(active.id);
  const place = (moved: Moved) => (moved.over === null ? '' : placeOf(moved.over.id));
  return {
    screenReaderInstructions: { draggable: t('drag.instructions') },
    announcements: {
      onDragStart: (moved) => t('drag.taken', { name: name(moved) }),
      onDragOver: (moved) =>
        moved.over === null
          ? t('drag.nowhere', { name: name(moved) })
          : t('drag.over', { name: name(moved), place: place(moved) }),
      onDragEnd: (moved) =>
        moved.over === null
          ? t('drag.cancelled', { name: name(moved) })
          : t('drag.dropped', { name: name(moved), place: place(moved) }),
      onDragCancel: (moved) => t('drag.cancelled', { name: name(moved) }),
    },
  };
}
