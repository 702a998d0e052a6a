import { Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type LinkPlace, linkCountQuery, linksQuery } from '../../api/links.ts';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { type StreamFilter, streamFilters } from '../../api/stream.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { readCount, readText } from '../../parts/list/search-state.ts';
import { AttachFiles } from './attach-files.tsx';
import { RecordFields } from './record-fields.tsx';
import { type RelatedState, RelatedTab } from './related-tab.tsx';
import { StreamTab } from './stream-tab.tsx';
import { TimeTab } from './time/time-tab.tsx';

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
  readonly record: AnyRecord;
  readonly state: Partial<RecordState>;
  readonly onChange: (change: Partial<RecordState>) => void;
}) {
  const t = useText();
  const { entity, record, state, onChange } = props;
  const { data: listed = [] } = useQuery(linksQuery(entity.name));
  const links = withoutSideLinks(entity, listed);
  const chosen = state.tab ?? 'fields';
  return (
    <Tabs value={chosen} onChange={(tab) => onChange({ ...initialState, tab: tab ?? 'fields' })}>
      <Tabs.List>
        <Tabs.Tab value="fields">{t('record.tabFields')}</Tabs.Tab>
        {entity.scope.stream ? <Tabs.Tab value="stream">{t('record.tabStream')}</Tabs.Tab> : null}
        <Tabs.Tab value="time">{t('record.tabTime')}</Tabs.Tab>
        {links.map((link) => (
          <LinkTab
            key={link}
            label={entity.labelOf(link)}
            place={{ entity: entity.name, id: record.id, link }}
          />
        ))}
      </Tabs.List>
      <Tabs.Panel value="fields">
        <AttachFiles entity={entity} record={record}>
          <RecordFields entity={entity} record={record} />
        </AttachFiles>
      </Tabs.Panel>
      <Tabs.Panel value="stream">
        <StreamTab
          entity={entity}
          record={record}
          filter={state.show ?? 'all'}
          onFilter={(filter) => onChange({ show: filter === 'all' ? undefined : filter })}
        />
      </Tabs.Panel>
      <Tabs.Panel value="time">
        <TimeTab
          entity={entity}
          record={record}
          version={state.version}
          compared={state.compared}
          onChange={onChange}
        />
      </Tabs.Panel>
      {links.map((link) => (
        <Tabs.Panel key={link} value={`link-${link}`}>
          <RelatedTab
            entity={entity}
            record={record}
            link={link}
            state={state}
            onChange={onChange}
          />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}

/** The tab of a link, with the number of its records. */
function LinkTab({ label, place }: { readonly label: string; readonly place: LinkPlace }) {
  const format = useFormat();
  const { data: count = 0 } = useQuery(linkCountQuery(place));
  return (
    <Tabs.Tab value={`link-${place.link}`}>
      {`${label} `}
      {count > 0 ? (
        <Text span size="xs" c="dimmed" ml={6}>
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
  /** The version shown in the history; `compared` is the one it is compared with. */
  readonly version: number | undefined;
  readonly compared: number | undefined;
  /** The kinds of items in the stream; undefined for all. */
  readonly show: StreamFilter | undefined;
}

/** The state of a tab that has just been opened. */
const initialState: Omit<RecordState, 'mode' | 'tab'> = {
  version: undefined,
  compared: undefined,
  show: undefined,
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
