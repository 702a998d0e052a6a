import { Button, Stack } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type AnyRecord, listQuery, pageSize } from '../../api/records.ts';
import { useText } from '../../language/language.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import type { Widths } from './columns/list-preferences.ts';
import { rowsPerPart } from './list-state.ts';
import { countOf } from './many/selection.ts';
import { type ManyProps, SelectionBar } from './many/selection-bar.tsx';
import { useRowSelection } from './many/use-row-selection.ts';
import styles from './record-list.module.css';
import { RecordTable, type RowRange } from './record-table.tsx';

interface Props extends ManyProps {
  readonly columns: readonly string[];
  readonly widths: Widths;
  readonly onWidths: (widths: Widths) => void;
  readonly part: number;
  /** True if a search or filter is active. */
  readonly isNarrowed: boolean;
  readonly onSort: (sort: string) => void;
  readonly onPart: (part: number) => void;
  readonly onClear: () => void;
  /** The quick filters. */
  readonly filters: ReactNode;
}

/** Lists all results of a search, and loads only the visible pages. */
export function RecordList(props: Props) {
  const { search, part } = props;
  const first = useQuery({ ...listQuery(search, 0), placeholderData: keepPreviousData });
  const total = first.data?.total;
  return (
    <Stack gap="xs">
      <div
        className={styles['line']}
        data-selecting={countOf(props.selection, total ?? 0) > 0 || undefined}
      >
        {total === undefined ? null : <SelectionBar {...props} total={total} />}
        {props.filters}
      </div>
      {total === undefined ? null : <SearchHint text={search.textFilter} total={total} />}
      {total === undefined ? <Pending query={first} height={320} /> : null}
      {total === 0 ? <Nothing isNarrowed={props.isNarrowed} onClear={props.onClear} /> : null}
      {total === undefined || total === 0 ? null : (
        <>
          {first.error === null ? null : <LoadError error={first.error} />}
          <LoadedRows {...props} total={total} key={`${JSON.stringify(search)} ${part}`} />
          <Pages count={Math.ceil(total / rowsPerPart)} page={part} onChange={props.onPart} />
        </>
      )}
    </Stack>
  );
}

/** Few results may be due to the rule of the search. */
const fewResults = 5;

function SearchHint({ text, total }: { readonly text: string; readonly total: number }) {
  const t = useText();
  if (text === '' || text.includes('*') || total > fewResults) return null;
  return <Hint>{t('records.wordsBegin')}</Hint>;
}

const settleMs = 120;

function LoadedRows({ search, part, total, ...props }: Props & { readonly total: number }) {
  const [range, setRange] = useState<RowRange>({ from: 0, to: pageSize - 1 });
  // Dragging the scroll bar passes many pages that need not be loaded.
  const [settled] = useDebouncedValue(range, settleMs);
  const before = part * rowsPerPart;
  const firstPage = Math.floor((before + settled.from) / pageSize);
  const lastPage = Math.floor((before + settled.to) / pageSize);
  const pages = Array.from({ length: lastPage - firstPage + 1 }, (_, index) => firstPage + index);
  const loaded = useQueries({ queries: pages.map((page) => listQuery(search, page)) });
  const records = new Map<number, AnyRecord>();
  for (const [index, { data }] of loaded.entries()) {
    const start = (firstPage + index) * pageSize - before;
    for (const [row, record] of (data?.list ?? []).entries()) records.set(start + row, record);
  }
  const { selection, onSelect } = props;
  const selectRow = useRowSelection({ search, selection, onSelect });
  const failed = loaded.find(({ error }) => error !== null);
  return (
    <>
      {failed === undefined ? null : (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      <RecordTable
        {...props}
        search={search}
        rowCount={Math.min(rowsPerPart, Math.max(0, total - before))}
        firstRow={before}
        total={total}
        records={records}
        onRange={setRange}
        onRow={selectRow}
      />
    </>
  );
}

function Nothing(props: { readonly isNarrowed: boolean; readonly onClear: () => void }) {
  const t = useText();
  if (!props.isNarrowed) {
    return <Empty title={t('records.nothing')} text={t('records.nothingText')} />;
  }
  return (
    <Empty title={t('records.noMatch')} text={t('records.noMatchText')}>
      <Button variant="default" onClick={props.onClear}>
        {t('records.clear')}
      </Button>
    </Empty>
  );
}
