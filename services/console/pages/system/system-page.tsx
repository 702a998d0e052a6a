import { Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { statusQuery } from '../../api/system.ts';
import { useText } from '../../language/language.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { StatusError } from '../../parts/page/status-error.tsx';
import { AuditTab } from './audit-tab.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { Disks } from './disks.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { Processes } from './processes.tsx';
import { Queues } from './queues.tsx';
import { SettingsTab } from './settings-tab.tsx';
import { type SystemState, systemReaders } from './system-state.ts';

export function SystemPage() {
  return useUser().user.isAdmin ? <System /> : <NotFound />;
}

const replaced = { replace: true };
/** Resets the state when the tab changes. */
const emptyState = {
  q: undefined,
  sort: undefined,
  kind: undefined,
  user: undefined,
  from: undefined,
  to: undefined,
};

/** The health, settings and audit of the installation. */
function System() {
  const t = useText();
  const { settings } = useUser();
  const version = Object(settings).version;
  const [state, change] = useSearchState<SystemState>(systemReaders);
  const { tab = 'state', q, sort, ...filter } = state;
  return (
    <Stack p="md">
      <div>
        <PageTitle>{t('system.title')}</PageTitle>
        {typeof version === 'string' ? (
          <Text c="dimmed">{t('system.version', { version })}</Text>
        ) : null}
      </div>
      <Tabs
        value={tab}
        onChange={(chosen) => change({ ...emptyState, tab: chosen as SystemState['tab'] })}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List mb="md" className="tab-line">
          <Tabs.Tab value="state">{t('system.tabState')}</Tabs.Tab>
          <Tabs.Tab value="settings">{t('system.tabSettings')}</Tabs.Tab>
          <Tabs.Tab value="audit">{t('system.tabAudit')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="state">
          <Stack>
            <FindingsPanel />
            <StatusError />
            <State />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab q={q} sort={sort} onChange={(changed) => change(changed, replaced)} />
        </Tabs.Panel>
        <Tabs.Panel value="audit">
          <AuditTab filter={filter} onChange={(changed) => change(changed, replaced)} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Shows the last known status. A current error is shown above. */
function State() {
  const { data, error } = useQuery(statusQuery);
  if (data === undefined) return error === null ? <Skeleton h={320} /> : null;
  return (
    <>
      <Processes status={data} />
      <Disks disks={data.disks} />
      <Queues queues={data.queues} />
      <DeadLetters counts={data.deadLetters} />
    </>
  );
}
