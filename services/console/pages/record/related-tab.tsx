import { ActionIcon, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconUnlink } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type LinkPlace,
  linkedPageSize,
  linkedQuery,
  linkRecord,
  pastLinkedQuery,
  unlinkRecord,
} from '../../api/links.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { type AnyRecord, columnsQuery } from '../../api/records.ts';
import { useRecordRights } from '../../api/rights.ts';
import { attributesOf } from '../../fields/field-types.ts';
import { RecordSelect } from '../../fields/link-inputs.tsx';
import { RecordCell } from '../../fields/record-cell.tsx';
import { parseTime, useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { Hint } from '../../parts/hint.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { NewHere } from './related/new-here.tsx';
import type { PastVersion } from './time/use-time-line.ts';

const shownColumns = 4;

/** The search of a link's records. */
export interface RelatedState {
  readonly q: string | undefined;
  /** Name of the sort field, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
  /** Numbered from 0. */
  readonly page: number | undefined;
}

/** The records of one link: search, sort order, and actions to create, link and unlink. */
export function RelatedTab(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly link: string;
  /** Undefined if the page shows the current version. */
  readonly past: PastVersion | undefined;
  readonly state: Partial<RelatedState>;
  readonly onChange: (state: Partial<RelatedState>) => void;
}) {
  const t = useText();
  const { entity, record, link, past, state, onChange } = props;
  const target = useMetadata().get(entity.links[link]?.entity ?? '');
  const { edit } = useRecordRights(entity, record);
  if (target === undefined) return null;
  const place = { entity: entity.name, id: record.id, link };
  const linked = { place, target, label: entity.labelOf(link), state, onChange };
  if (past !== undefined) return <PastLinked {...linked} at={past.at} />;
  return (
    <Stack>
      <Group>
        <NewHere entity={entity} record={record} link={link} target={target} />
        {edit.isGranted ? <LinkButton place={place} target={target} /> : null}
        <SearchInput
          label={t('records.searchIn', { entity: entity.labelOf(link) })}
          value={state.q ?? ''}
          onChange={(q) => onChange({ q: q === '' ? undefined : q, page: undefined })}
        />
      </Group>
      <Linked {...linked} mayUnlink={edit.isGranted} />
    </Stack>
  );
}

interface LinkedProps {
  readonly place: LinkPlace;
  readonly target: Entity;
  readonly label: string;
  readonly state: Partial<RelatedState>;
  readonly onChange: (state: Partial<RelatedState>) => void;
}

/** The records that were linked at a time, with their values from then. */
function PastLinked(props: LinkedProps & { readonly at: string }) {
  const t = useText();
  const format = useFormat();
  const { place, target, at, state, onChange } = props;
  const columns = useColumns(target);
  const { page = 0 } = state;
  const found = useQuery(pastLinkedQuery(place, at, page));
  const time = parseTime(at);
  if (found.data === undefined || columns === undefined) {
    return <Pending query={found} height={160} />;
  }
  const { list, total } = found.data;
  return (
    <Stack>
      <Hint>{t('related.asOf', { time: time === undefined ? at : format.time(time) })}</Hint>
      {list.length === 0 ? (
        <Empty title={t('related.noneLinked')} text={t('related.noneThen')} />
      ) : (
        <LinkedTable {...props} columns={columns} records={list} mayUnlink={false} />
      )}
      <Pages
        count={Math.ceil(total / linkedPageSize)}
        page={page}
        onChange={(chosen) => onChange({ page: chosen === 0 ? undefined : chosen })}
      />
    </Stack>
  );
}

/** Returns the columns of a list of linked records; undefined while the layout is loading. */
function useColumns({ name: entity }: Entity): readonly string[] | undefined {
  const { data: layout } = useQuery(columnsQuery(entity));
  if (layout === undefined) return undefined;
  return ['name', ...layout.filter((name) => name !== 'name')].slice(0, shownColumns);
}

function Linked(props: LinkedProps & { readonly mayUnlink: boolean }) {
  const { place, target, label, mayUnlink, state, onChange } = props;
  const columns = useColumns(target);
  const { q = '', page = 0 } = state;
  const sort = isSortable(target, state.sort?.replace(/^-/, '')) ? state.sort : undefined;
  // Decides whether a record is overdue.
  const { statusField = 'name' } = target.scope;
  const shown = columns?.flatMap((name) => attributesOf(target, name)) ?? [];
  const select = [...new Set([...shown, statusField])];
  const found = useQuery({
    ...linkedQuery(place, { page, textFilter: q, sort, select }),
    placeholderData: keepPreviousData,
    enabled: columns !== undefined,
  });
  if (found.data === undefined || columns === undefined) {
    return <Pending query={found} height={160} />;
  }
  const { list, total } = found.data;
  return (
    <>
      {list.length === 0 ? (
        <Nothing isSearched={q !== ''} />
      ) : (
        <LinkedTable
          place={place}
          target={target}
          columns={columns}
          records={list}
          label={label}
          mayUnlink={mayUnlink}
          {...(sort === undefined ? {} : { sort })}
          onSort={(chosen) => onChange({ sort: chosen, page: undefined })}
        />
      )}
      <Pages
        count={Math.ceil(total / linkedPageSize)}
        page={page}
        onChange={(chosen) => onChange({ page: chosen === 0 ? undefined : chosen })}
      />
    </>
  );
}

const unsortable = new Set(['linkMultiple', 'attachmentMultiple', 'jsonArray', 'jsonObject']);

function isSortable(target: Entity, name: string | undefined): boolean {
  const field = name === undefined ? undefined : target.fields[name];
  return field !== undefined && field.notStorable !== true && !unsortable.has(field.type);
}

function Nothing({ isSearched }: { readonly isSearched: boolean }) {
  const t = useText();
  if (isSearched) return <Empty title={t('records.noMatch')} text={t('related.noMatchText')} />;
  return <Empty title={t('related.noneLinked')} text={t('related.noneLinkedText')} />;
}

function LinkedTable(props: {
  readonly place: LinkPlace;
  readonly target: Entity;
  readonly label: string;
  readonly columns: readonly string[];
  readonly records: readonly AnyRecord[];
  readonly mayUnlink: boolean;
  readonly sort?: string;
  /** Absent if the list has a fixed order. */
  readonly onSort?: (sort: string) => void;
}) {
  const t = useText();
  const { place, target, columns, records, sort, onSort } = props;
  const unlinking = useLinkChange((id: string) => unlinkRecord(place, id));
  const shown: readonly Column<AnyRecord>[] = columns.map((name) => ({
    ...(isSortable(target, name) ? { name } : {}),
    label: target.labelOf(name),
    show: (record) => <RecordCell record={record} name={name} entity={target} />,
  }));
  const unlink: Column<AnyRecord> = {
    label: '',
    show: (record) => (
      <ActionIcon
        variant="subtle"
        aria-label={t('related.unlink', { name: String(record['name'] ?? record.id) })}
        onClick={() => unlinking.mutate(record.id)}
      >
        <IconUnlink size={16} />
      </ActionIcon>
    ),
  };
  return (
    <>
      {unlinking.error === null ? null : <ErrorDetails error={unlinking.error} />}
      <DataTable
        label={props.label}
        columns={props.mayUnlink ? [...shown, unlink] : shown}
        rows={records}
        keyOf={({ id }) => id}
        minWidth={480}
        {...(sort === undefined ? {} : { sort })}
        {...(onSort === undefined ? {} : { onSort })}
      />
    </>
  );
}

function LinkButton(props: { readonly place: LinkPlace; readonly target: Entity }) {
  const t = useText();
  const { place, target } = props;
  const [isOpen, dialog] = useDisclosure();
  const [picked, setPicked] = useState({ id: '', name: '' });
  const linking = useLinkChange((id: string) => linkRecord(place, id), dialog.close);
  const title = t('related.linkTo', { entity: target.label });
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {t('related.link')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} title={title}>
        <Stack>
          <RecordSelect
            entity={target.name}
            label={target.label}
            value={picked.id}
            shown={picked.name}
            onPick={(id, name) => setPicked({ id: id ?? '', name: name ?? '' })}
          />
          {linking.error === null ? null : (
            <Text component="div" c="var(--mantine-color-error)">
              <ErrorDetails error={linking.error} />
            </Text>
          )}
          <Button
            disabled={picked.id === ''}
            loading={linking.isPending}
            onClick={() => linking.mutate(picked.id)}
          >
            {title}
          </Button>
        </Stack>
      </Modal>
    </>
  );
}

function useLinkChange(change: (id: string) => Promise<void>, onDone?: () => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: change,
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      onDone?.();
    },
  });
}
