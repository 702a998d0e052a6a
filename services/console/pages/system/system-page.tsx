import { Alert, Badge, Skeleton, Stack, Tabs, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useUser } from '../../api/session.ts';
import { type AuditFilter, auditKinds, type Status, statusQuery } from '../../api/system.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { TextLink } from '../../parts/link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { readText, useSearchState } from '../../parts/list/search-state.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { StatusError } from '../../parts/page/status-error.tsx';
import { AuditTab } from './audit-tab.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { MailPanel } from './mail-panel.tsx';
import { SettingsTab } from './settings-tab.tsx';

const ProvidersTab = lazy(async () => ({
  default: (await import('./providers/providers-tab.tsx')).ProvidersTab,
}));

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
  const t = usePageText();
  const { version } = useUser().settings;
  const [state, change] = useSearchState<SystemState>(systemReaders);
  const { tab = 'state', q, sort, ...filter } = state;
  return (
    <Stack p="md">
      <div>
        <PageTitle>{t('titles.system')}</PageTitle>
        {version === undefined ? null : <Text c="dimmed">{t('system.version', { version })}</Text>}
      </div>
      <Tabs
        value={tab}
        onChange={(chosen) => change({ ...emptyState, tab: chosen as SystemState['tab'] })}
      >
        <Tabs.List>
          <Tabs.Tab value="state">{t('system.tabState')}</Tabs.Tab>
          <Tabs.Tab value="settings">{t('system.tabSettings')}</Tabs.Tab>
          <Tabs.Tab value="signIn">{t('system.auditOfProvider')}</Tabs.Tab>
          <Tabs.Tab value="audit">{t('system.tabAudit')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="state">
          <Stack>
            <FindingsPanel />
            <StatusError />
            <State />
            <MailPanel />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="settings">
          <SettingsTab q={q} sort={sort} onChange={(changed) => change(changed, replaced)} />
        </Tabs.Panel>
        <Tabs.Panel value="signIn">
          <Suspense fallback={<Skeleton h={320} />}>
            <ProvidersTab />
          </Suspense>
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

type Disk = Status['disks'][number];

/** The free space of each disk, and the limit below which writes are rejected. */
function Disks({ disks }: { readonly disks: readonly Disk[] }) {
  const t = usePageText();
  const format = useFormat();
  return (
    <Panel title={t('system.disks')}>
      <DataTable
        empty={<Text size="sm">{t('system.noDisks')}</Text>}
        label={t('system.disks')}
        rows={disks}
        keyOf={({ path }) => path}
        columns={[
          { label: t('system.path'), show: ({ path }) => path },
          {
            label: t('system.free'),
            show: ({ freeBytes, freeInodes, floor }) =>
              amount({ bytes: freeBytes, inodes: floor.inodes > 0 ? freeInodes : 0 }),
          },
          { label: t('system.floor'), show: ({ floor }) => amount(floor) },
          { label: t('system.state'), show: (disk) => <DiskState disk={disk} /> },
        ]}
      />
    </Panel>
  );

  function amount({ bytes, inodes }: Disk['floor']): string {
    const free = format.bytes(bytes);
    return inodes > 0 ? t('system.withInodes', { free, count: inodes }) : free;
  }
}

function DiskState({ disk }: { readonly disk: Disk }) {
  const t = usePageText();
  const [text, color] = disk.isLow
    ? (['system.diskLow', 'red'] as const)
    : disk.isLowSoon
      ? (['system.diskLowSoon', 'yellow'] as const)
      : (['system.diskFine', 'green'] as const);
  return <Badge color={color}>{t(text)}</Badge>;
}

const stages: ReadonlyMap<string, StageText> = new Map([
  ['matching', 'system.stageMatching'],
  ['delivery', 'system.stageDelivery'],
  ['overflow', 'system.stageOverflow'],
  ['second attempt', 'system.stageSecond'],
  ['third attempt', 'system.stageThird'],
  ['later attempts', 'system.stageLater'],
]);

type StageText =
  `system.stage${'Delivery' | 'Later' | 'Matching' | 'Overflow' | 'Second' | 'Third'}`;

/** The length of the webhook queues at each stage. */
function Queues({ queues }: { readonly queues: Status['queues'] }) {
  const t = usePageText();
  const format = useFormat();
  const nameOf = (stage: string): string => {
    const text = stages.get(stage);
    return text === undefined ? stage : t(text);
  };
  return (
    <Panel title={t('system.queues')}>
      <DataTable
        empty={<Text size="sm">{t('system.noQueues')}</Text>}
        label={t('system.queues')}
        rows={queues}
        keyOf={({ stage }) => stage}
        columns={[
          { label: t('system.stage'), show: ({ stage }) => nameOf(stage) },
          { label: t('system.topic'), show: ({ topic }) => topic },
          { label: t('system.waiting'), show: ({ waiting }) => format.number(waiting) },
          {
            label: t('system.oldest'),
            show: ({ waiting, seconds }) => (waiting === 0 ? '–' : format.duration(seconds)),
          },
        ]}
      />
    </Panel>
  );
}

/** The number of dead letters by webhook. */
function DeadLetters({ counts }: { readonly counts: Status['deadLetters'] }) {
  const t = usePageText();
  const format = useFormat();
  const { data: webhooks = [] } = useQuery(webhooksQuery);
  const find = (id: string) => webhooks.find((webhook) => webhook.id === id);
  return (
    <Panel title={t('system.deadLetters')}>
      <DataTable
        empty={<Text size="sm">{t('system.noDeadLetters')}</Text>}
        label={t('system.deadLetters')}
        rows={counts}
        keyOf={({ webhookId }) => webhookId}
        columns={[
          {
            label: t('system.webhook'),
            show: ({ webhookId: id }) => (
              <TextLink
                inherit
                to="/webhooks/$id"
                params={{ id }}
                search={{ tab: 'deliveries', state: 'dead' }}
              >
                {find(id)?.event ?? id}
              </TextLink>
            ),
          },
          { label: t('webhooks.url'), show: ({ webhookId }) => find(webhookId)?.url ?? '–' },
          { label: t('system.batches'), show: ({ batches }) => format.number(batches) },
        ]}
      />
    </Panel>
  );
}

const kinds = {
  apis: 'system.api',
  projectors: 'system.projector',
  dispatchers: 'system.dispatcher',
} as const;

type Kind = keyof typeof kinds;

/** The running processes with their number of partitions, and topics with problems. */
function Processes({ status }: { readonly status: Status }) {
  const t = usePageText();
  const format = useFormat();
  const { instances, partitions, topics } = status;
  const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) =>
    instances[kind].map((address) => ({
      kind,
      address,
      share: partitions.filter((one) => ownerIn(one, kind) === address).length,
    })),
  );
  return (
    <Panel title={t('system.processes')}>
      <Stack>
        {topics.missing.length === 0 ? null : (
          <Alert color="red">{t('system.missing', { topics: topics.missing.join(', ') })}</Alert>
        )}
        {topics.differing.length === 0 ? null : (
          <Alert color="yellow">
            {t('system.differing', { topics: topics.differing.join(', ') })}
          </Alert>
        )}
        <DataTable
          empty={<Empty title={t('system.noProcesses')} text={t('system.noProcessesText')} />}
          label={t('system.processes')}
          rows={rows}
          keyOf={({ kind, address }) => `${kind} ${address}`}
          columns={[
            { label: t('system.address'), show: ({ address }) => address },
            { label: t('system.kind'), show: ({ kind }) => t(kinds[kind]) },
            {
              label: t('system.share'),
              show: ({ kind, share }) => (kind === 'dispatchers' ? '–' : format.number(share)),
            },
          ]}
        />
      </Stack>
    </Panel>
  );
}

function ownerIn(partition: Status['partitions'][number], kind: Kind): string | null {
  if (kind === 'apis') return partition.owner;
  return kind === 'projectors' ? partition.projector : null;
}

/** The state of the page, kept in its address. */
export interface SystemState extends AuditFilter {
  readonly tab: (typeof tabs)[number] | undefined;
  /** Search text for the settings. */
  readonly q: string | undefined;
  /** Sort column of the settings, prefixed with `-` for descending order. */
  readonly sort: string | undefined;
}

const tabs = ['state', 'settings', 'signIn', 'audit'] as const;
const isSort = /^-?(?:name|source)$/;
const isDay = /^\d{4}-\d\d-\d\d$/;

const systemReaders = {
  tab: (raw: unknown) => tabs.find((tab) => tab === raw),
  q: readText,
  sort: (raw: unknown) => readMatching(raw, isSort),
  kind: (raw: unknown) => auditKinds.find((kind) => kind === raw),
  user: readText,
  from: (raw: unknown) => readMatching(raw, isDay),
  to: (raw: unknown) => readMatching(raw, isDay),
};

function readMatching(raw: unknown, form: RegExp): string | undefined {
  const text = readText(raw);
  return text !== undefined && form.test(text) ? text : undefined;
}
