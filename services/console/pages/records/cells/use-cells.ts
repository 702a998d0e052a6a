import { useMediaQuery } from '@mantine/hooks';
import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type RefObject,
  useState,
} from 'react';
import type { Entity } from '../../../api/metadata.ts';
import { useRights } from '../../../api/rights.ts';
import { pencilAttribute } from './cell-pencil.tsx';

interface Place {
  /** Number of the row among those of the table. */
  readonly index: number;
  readonly name: string;
}

/** A field of a record that the user is editing. */
export interface Edit {
  readonly id: string;
  readonly name: string;
  readonly cell: HTMLElement;
  /** The position and size of the cell within the scroller, in pixels. */
  readonly box: Readonly<Record<'height' | 'left' | 'top' | 'width', number>>;
}

/**
 * The cells of a table that can be edited with a mouse or a keyboard. One of them can be reached with Tab, and the
 * others from there with the arrow keys. F2, Enter and a double click press the pencil of a cell.
 */
export function useCells(
  { entity, columns }: { readonly entity: Entity; readonly columns: readonly string[] },
  view: {
    readonly scroller: RefObject<HTMLElement | null>;
    readonly isCompact: boolean;
    /** Numbers of the first visible row, and of the first and last rendered ones. */
    readonly rows: Readonly<Record<'first' | 'from' | 'to', number>>;
  },
) {
  const hasPointer = useMediaQuery('(hover: hover)', false, { getInitialValueInEffect: false });
  const isOffered = useRights(entity.name).may('edit') && hasPointer && !view.isCompact;
  const [hovered, setHovered] = useState<Place>();
  const [focused, setFocused] = useState<Place>();
  // Several if the user opens the next one while one is being saved.
  const [edits, setEdits] = useState<readonly Edit[]>([]);
  const close = (edit: Edit): void => setEdits((open) => open.filter((one) => one !== edit));
  if (!isOffered) return { edits, close, handlers: {} };
  const { first, from, to } = view.rows;
  const isRendered = focused !== undefined && focused.index >= from && focused.index <= to;
  const [firstColumn = ''] = columns;
  return {
    edits,
    close,
    hovered,
    stop:
      isRendered && columns.includes(focused.name) ? focused : { index: first, name: firstColumn },
    handlers: {
      onPointerOver({ target }: PointerEvent): void {
        const place = placeOf(target);
        // The pointer passes several elements of the same cell.
        const isSame = place?.index === hovered?.index && place?.name === hovered?.name;
        if (!isSame) setHovered(place);
      },
      onPointerLeave: () => setHovered(undefined),
      onFocus: ({ target }: FocusEvent) => setFocused((before) => placeOf(target) ?? before),
      onDoubleClick({ target }: MouseEvent): void {
        if (target instanceof Element && target.closest('a, button') === null) press(target);
      },
      onKeyDown: onKey,
      onClick({ target }: MouseEvent): void {
        const edit = editOf(target, view.scroller.current);
        if (edit === undefined) return;
        const isOpen = edits.some(({ id, name }) => id === edit.id && name === edit.name);
        if (!isOpen) setEdits([...edits, edit]);
      },
    },
  };
}

function cellOf(target: EventTarget): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>('td[data-field]') : null;
}

function placeOf(target: EventTarget): Place | undefined {
  const cell = cellOf(target);
  const name = cell?.dataset['field'];
  const index = cell?.closest('tr')?.dataset['index'];
  return name === undefined || index === undefined ? undefined : { index: Number(index), name };
}

/** Returns the edit that a click on a pencil opens. */
function editOf(target: EventTarget, scroller: HTMLElement | null): Edit | undefined {
  const pencil = target instanceof Element ? target.closest(`[${pencilAttribute}]`) : null;
  const id = pencil?.getAttribute(pencilAttribute);
  const cell = cellOf(target);
  const name = cell?.dataset['field'];
  if (!id || cell === null || name === undefined || scroller === null) return undefined;
  const [inner, outer] = [cell.getBoundingClientRect(), scroller.getBoundingClientRect()];
  const left = inner.left - outer.left - scroller.clientLeft + scroller.scrollLeft;
  const top = inner.top - outer.top - scroller.clientTop + scroller.scrollTop;
  return { id, name, cell, box: { left, top, width: inner.width, height: inner.height } };
}

function press(target: EventTarget): void {
  cellOf(target)?.querySelector<HTMLElement>(`[${pencilAttribute}]`)?.click();
}

/** Opens the focused cell, or moves the focus to another one. */
function onKey(event: KeyboardEvent): void {
  const { key, target } = event;
  const cell = cellOf(target);
  if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
  if (key === 'F2') press(cell);
  // Keys in a cell belong to its links and buttons.
  if (target !== cell) return;
  if (key === 'Enter') press(cell);
  const next = neighbourOf(cell, key);
  if (next === null) return;
  event.preventDefault();
  next.focus();
}

function neighbourOf(cell: HTMLElement, key: string): HTMLElement | null {
  const row = cell.closest('tr');
  const { field = '' } = cell.dataset;
  const below = (other: Element | null | undefined) =>
    other?.querySelector<HTMLElement>(`[data-field="${CSS.escape(field)}"]`) ?? null;
  switch (key) {
    case 'ArrowUp':
      return below(row?.previousElementSibling);
    case 'ArrowDown':
      return below(row?.nextElementSibling);
    case 'ArrowLeft':
      return cellBeside(cell.previousElementSibling);
    case 'ArrowRight':
      return cellBeside(cell.nextElementSibling);
    default:
      return null;
  }
}

function cellBeside(other: Element | null): HTMLElement | null {
  return other === null ? null : cellOf(other);
}
