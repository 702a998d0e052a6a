import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { ListSearch } from '../../../api/records.ts';
import { isNumeric } from '../../../fields/field-types.ts';
import { useText } from '../../../language/language.tsx';
import { SortButton } from '../../../parts/list/data-table.tsx';
import styles from './column-header.module.css';
import { toWidth, type Widths } from './list-preferences.ts';

interface Props {
  readonly name: string;
  readonly entity: Entity;
  readonly search: ListSearch;
  readonly widths: Widths;
  readonly onSort: (sort: string) => void;
  readonly onResize: OnResize;
}

/** Called repeatedly while a column is resized, at the end with `isFinal`. */
type OnResize = (widths: Widths, isFinal: boolean) => void;

/** The header of a column, with a button that sorts by it and a handle that changes its width. */
export function ColumnHeader({ name, entity, search, widths, onSort, onResize }: Props) {
  const isSorted = search.orderBy === name;
  const isAscending = isSorted && search.order === 'asc';
  const label = entity.labelOf(name);
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (isAscending ? 'ascending' : 'descending') : undefined}
      data-numeric={isNumeric(entity, name) || undefined}
      data-column={name}
    >
      <SortButton
        label={label}
        isSorted={isSorted}
        isAscending={isAscending}
        onClick={() => onSort(isAscending ? `-${name}` : name)}
      />
      <WidthHandle name={name} label={label} widths={widths} onResize={onResize} />
    </th>
  );
}

const stepPixels = 16;

function WidthHandle(props: {
  readonly name: string;
  readonly label: string;
  readonly widths: Widths;
  readonly onResize: OnResize;
}) {
  const t = useText();
  const { name, label, widths, onResize } = props;
  const start = useRef<{ readonly x: number; readonly widths: Widths }>(undefined);
  const move = ({ clientX }: PointerEvent, isFinal: boolean): void => {
    if (start.current === undefined) return;
    const { x, widths: before } = start.current;
    if (isFinal) start.current = undefined;
    onResize({ ...before, [name]: toWidth((before[name] ?? 0) + clientX - x) }, isFinal);
  };
  const press = ({ key, currentTarget }: KeyboardEvent, isFinal: boolean): void => {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return;
    const now = measure(currentTarget);
    const step = isFinal ? 0 : key === 'ArrowLeft' ? -stepPixels : stepPixels;
    onResize({ ...now, [name]: toWidth((now[name] ?? 0) + step) }, isFinal);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an hr has no keyboard interaction
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={t('records.width', { column: label })}
      aria-valuenow={widths[name] ?? 0}
      aria-valuetext={widths[name] === undefined ? t('records.widthAuto') : `${widths[name]} px`}
      tabIndex={0}
      className={styles['handle']}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, widths: measure(event.currentTarget) };
      }}
      onPointerMove={(event) => move(event, false)}
      onPointerUp={(event) => move(event, true)}
      onKeyDown={(event) => press(event, false)}
      onKeyUp={(event) => press(event, true)}
    />
  );
}

/** Returns the widths of all columns of the table. If only one had a width, the others would change with each row. */
function measure(handle: Element): Widths {
  const headers = handle.closest('tr')?.querySelectorAll<HTMLElement>('th[data-column]') ?? [];
  return Object.fromEntries(
    [...headers].map((header) => [header.dataset['column'], toWidth(header.offsetWidth)]),
  );
}
