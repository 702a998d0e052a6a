import { notifications } from '@mantine/notifications';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useRef } from 'react';
import { type ListSearch, listQuery, pageSize } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { maxListedIds, type Selection, withRecords } from './selection.ts';

export interface RowClick {
  /** The number of the row among all results, from 0. */
  readonly row: number;
  readonly id: string;
  readonly isOn: boolean;
  /** Extends the click to all rows since the previous one. */
  readonly isRange: boolean;
}

/** Returns the handler for clicks on the checkboxes of rows. */
export function useRowSelection(options: {
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
}): (click: RowClick) => Promise<void> {
  const t = useText();
  const queries = useQueryClient();
  const { search, selection, onSelect } = options;
  const anchor = useRef<number>(undefined);
  // Rows may be selected while the rows of a range load.
  const present = useRef(selection);
  present.current = selection;
  return useCallback(
    async ({ row, id, isOn, isRange }) => {
      const from = anchor.current;
      anchor.current = row;
      const showLimit = (): void => {
        notifications.show({
          color: 'yellow',
          message: t('many.tooMany', { count: maxListedIds }),
        });
      };
      const apply = (ids: readonly string[]): void => {
        const changed = withRecords(present.current, ids, isOn);
        if (changed === undefined) {
          showLimit();
          return;
        }
        present.current = changed;
        onSelect(changed);
      };
      if (!isRange || from === undefined || from === row) return apply([id]);
      const [first, last] = from < row ? [from, row] : [row, from];
      if (last - first >= maxListedIds) return showLimit();
      try {
        // Rows that were scrolled past quickly are not loaded yet.
        const firstPage = Math.floor(first / pageSize);
        const lastPage = Math.floor(last / pageSize);
        const pages = await Promise.all(
          Array.from({ length: lastPage - firstPage + 1 }, async (_, index) =>
            queries.ensureQueryData(listQuery(search, firstPage + index)),
          ),
        );
        const rows = pages.flatMap(({ list }) => list);
        const start = firstPage * pageSize;
        apply(rows.slice(first - start, last - start + 1).map((record) => record.id));
      } catch {
        notifications.show({ color: 'red', message: t('many.rangeFailed') });
      }
    },
    [queries, search, onSelect, t],
  );
}
