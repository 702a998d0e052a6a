import { Stack, Tabs } from '@mantine/core';
import { useUser } from '../../api/session.ts';
import { eventTypes } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { readText, useSearchState } from '../../parts/list/search-state.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { StatusError } from '../../parts/page/status-error.tsx';
import { LiveTab } from './live-tab.tsx';
import { type PastFilter, PastTab } from './past-tab.tsx';
import { RejectedTab } from './rejected-tab.tsx';
import { TopicsTab } from './topics-tab.tsx';

export function LogPage() {
  return useUser().user.isAdmin ? <Log /> : <NotFound />;
}

/** The log: live and past events, topics and rejected entries. */
function Log() {
  const t = usePageText();
  const [state, change] = useSearchState<LogState>(logReaders);
  const { tab = 'live', entry, from, to, ...filter } = state;
  const times = { ...(from && { from }), ...(to && { to }) };
  return (
    <Stack p="md">
      <PageTitle>{t('titles.log')}</PageTitle>
      <StatusError />
      <Tabs
        value={tab}
        onChange={(chosen) => change({ tab: chosen as LogState['tab'], entry: undefined })}
      >
        <Tabs.List>
          <Tabs.Tab value="live">{t('log.tabLive')}</Tabs.Tab>
          <Tabs.Tab value="past">{t('log.tabPast')}</Tabs.Tab>
          <Tabs.Tab value="topics">{t('log.tabTopics')}</Tabs.Tab>
          <Tabs.Tab value="rejected">{t('log.tabRejected')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="live">
          <LiveTab filter={filter} onChange={(changed) => change(changed, { replace: true })} />
        </Tabs.Panel>
        <Tabs.Panel value="past">
          <PastTab
            filter={{ ...filter, ...times }}
            onChange={(changed) => change(changed, { replace: true })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="topics">
          <TopicsTab />
        </Tabs.Panel>
        <Tabs.Panel value="rejected">
          <RejectedTab entry={entry} onOpen={(opened) => change({ entry: opened })} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** The state of the page, kept in its address. */
interface LogState extends PastFilter {
  readonly tab: (typeof tabs)[number] | undefined;
  /** The rejected entry whose details are open, as `{topic}/{partition}/{offset}`. */
  readonly entry: string | undefined;
}

const tabs = ['live', 'past', 'topics', 'rejected'] as const;
const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const isPlace = /^[\w.-]+\/\d{1,9}\/\d{1,18}$/;

const logReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  entry(raw: unknown) {
    const text = readText(raw);
    return text !== undefined && isPlace.test(text) ? text : undefined;
  },
  entityType: readText,
  id: readText,
  userId: readText,
  type: (raw: unknown) => eventTypes.find((type) => type === raw),
  from: readTime,
  to: readTime,
};

function readTime(raw: unknown): string | undefined {
  const text = readText(raw);
  return text !== undefined && isTime.test(text) ? text : undefined;
}
