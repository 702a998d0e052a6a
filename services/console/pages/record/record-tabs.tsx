import { Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type LinkPlace, linkCountQuery, linksQuery } from '../../api/links.ts';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord, ReadRecord } from '../../api/records.ts';
import { type StreamFilter, streamFilters } from '../../api/stream.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { readCount, readText } from '../../parts/list/search-state.ts';
import { Pending } from '../../parts/page/pending.tsx';
import { AttachFiles } from './attach-files.tsx';
import type { EditedRecord } from './facts/fact.tsx';
import { RecordFields } from './facts/record-fields.tsx';
import styles from './record-columns.module.css';
import { type RelatedState, RelatedTab } from './related-tab.tsx';
import { TimeTab } from './time/time-tab.tsx';
import type { TimeLineState } from './time/use-time-line.ts';

/** Leaves out links whose records another link includes. */
function withoutSideLinks(entity: Entity, links: readonly string[]): readonly string[] {
  const isSide = (name: string) => entity.links[name]?.layoutRelationshipsDisabled === true;
  const targetOf = (name: string) => entity.links[name]?.entity;
  return links.filter((link) => {
    const others = links.filter((other) => other !== link && !isSide(other));
    return !isSide(link) || !others.some((other) => targetOf(other) === targetOf(link));
  });
}

/** The tabs of a record: fields, stream, history, and the records of each link. */
export function RecordTabs(props: {
  readonly entity: Entity;
  readonly found: ReadRecord;
  /** The version that the page shows. */
  readonly record: AnyRecord;
  /** Undefined for a past version. */
  readonly edited: EditedRecord | undefined;
  readonly timeLine: TimeLineState;
  readonly state: Partial<RecordState>;
  readonly onChange: (change: Partial<RecordState>) => void;
  /** The content of the tab for the stream; undefined without such a tab. */
  readonly stream: ReactNode | undefined;
  /** Shown below the fields. */
  readonly belowFields: ReactNode;
}) {
  const t = useText();
  const { entity, found, record, edited, timeLine, state, onChange, stream } = props;
  const { query: history, version, past } = timeLine;
  const { data: listed = [] } = useQuery(linksQuery(entity.name));
  const links = withoutSideLinks(entity, listed);
  // Links to the stream also have to work if the stream is next to the tabs.
  const { tab = 'fields' } = state;
  const chosen = tab === 'stream' && stream === undefined ? 'fields' : tab;
  return (
    <Tabs
      className={styles['tabs'] ?? ''}
      value={chosen}
      onChange={(picked) => onChange({ ...initialState, tab: picked ?? 'fields' })}
    >
      <Tabs.List>
        <Tabs.Tab value="fields">{t('record.tabFields')}</Tabs.Tab>
        {stream === undefined ? null : <Tabs.Tab value="stream">{t('record.tabStream')}</Tabs.Tab>}
        <Tabs.Tab value="time">{t('record.tabTime')}</Tabs.Tab>
        {links.map((link) => (
          <LinkTab
            key={link}
            label={entity.labelOf(link)}
            place={{ entity: entity.name, id: record.id, link }}
            isCounted={past === undefined}
          />
        ))}
      </Tabs.List>
      <Tabs.Panel value="fields">
        <Stack>
          {edited === undefined ? (
            <RecordFields entity={entity} record={record} />
          ) : (
            <AttachFiles entity={entity} record={record}>
              <RecordFields entity={entity} record={record} edited={edited} />
            </AttachFiles>
          )}
          {props.belowFields}
        </Stack>
      </Tabs.Panel>
      {stream === undefined ? null : <Tabs.Panel value="stream">{stream}</Tabs.Panel>}
      <Tabs.Panel value="time">
        {history.data === undefined || version === undefined ? (
          <Pending query={history} height={240} />
        ) : (
          <TimeTab
            entity={entity}
            record={found.record}
            history={history.data}
            version={version}
            compared={state.compared}
            onCompare={(compared) => onChange({ compared })}
          />
        )}
      </Tabs.Panel>
      {links.map((link) => (
        <Tabs.Panel key={link} value={`link-${link}`}>
          <RelatedTab
            entity={entity}
            record={record}
            link={link}
            past={past}
            state={state}
            onChange={onChange}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The tab of a link, with the number of its records. */
function LinkTab(props: {
  readonly label: string;
  readonly place: LinkPlace;
  /** False for a past version, of which the server would have to read every linked record. */
  readonly isCounted: boolean;
}) {
  const { label, place, isCounted } = props;
  const format = useFormat();
  const { data } = useQuery({ ...linkCountQuery(place), enabled: isCounted });
  const count = isCounted ? (data ?? 0) : 0;
  return (
    <Tabs.Tab value={`link-${place.link}`}>
      {`${label} `}
      {count > 0 ? (
        <Text span size="xs" c="dimmed" ml={6} lh={1}>
          {format.number(count)}
        </Text>
      ) : null}
    </Tabs.Tab>
  );
}

/** The state of a record's page, kept in its address. */
export interface RecordState extends RelatedState {
  /** Undefined while reading. */
  readonly mode: 'edit' | undefined;
  readonly tab: string | undefined;
  /** The version that the page shows; undefined for the current one. `compared` is the one it is compared with. */
  readonly version: number | undefined;
  readonly compared: number | undefined;
  /** The kinds of items in the stream; undefined for all. */
  readonly show: StreamFilter | undefined;
}

/** The state of a tab that has just been opened. */
const initialState: Omit<RecordState, 'mode' | 'show' | 'tab' | 'version'> = {
  compared: undefined,
  q: undefined,
  sort: undefined,
  page: undefined,
};

const isTab = /^(?:fields|stream|time|link-\w+)$/;

export const recordReaders = {
  mode: (raw: unknown) => (raw === 'edit' ? ('edit' as const) : undefined),
  tab(raw: unknown) {
    const text = readText(raw);
    return text !== undefined && isTab.test(text) ? text : undefined;
  },
  version: readCount,
  compared: readCount,
  page: readCount,
  q: readText,
  sort: readText,
  show: (raw: unknown) => streamFilters.find((filter) => filter === raw && filter !== 'all'),
};
