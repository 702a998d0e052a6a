import { Code, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RunningProcess, type Setting, settingsQuery } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { DataTable } from '../../parts/list/data-table.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Time } from '../../parts/time.tsx';
import { mergeSettings, sortSettings } from './merge-settings.ts';

interface Props {
  readonly q: string | undefined;
  readonly sort: string | undefined;
  readonly onChange: (change: { readonly q?: string | undefined; readonly sort?: string }) => void;
}

const sources = {
  environment: 'system.fromEnvironment',
  file: 'system.fromFile',
  start: 'system.fromStart',
  default: 'system.fromDefault',
  derived: 'system.fromDerived',
  unset: 'system.fromNowhere',
} as const;

/** The settings of all processes with their sources. */
export function SettingsTab(props: Props) {
  const t = usePageText();
  const { data, error, refetch } = useQuery(settingsQuery);
  return (
    <Stack>
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton h={320} />
        ) : null
      ) : data.processes.length === 0 ? (
        <Empty title={t('system.noProcesses')} text={t('system.noProcessesText')} />
      ) : (
        <>
          <Text size="sm">{t('system.postgres', { version: data.postgresVersion })}</Text>
          <Versions processes={data.processes} />
          <Settings {...props} processes={data.processes} />
        </>
      )}
    </Stack>
  );
}

function Versions({ processes }: { readonly processes: readonly RunningProcess[] }) {
  const t = usePageText();
  return (
    <DataTable
      label={t('system.processes')}
      rows={processes}
      keyOf={({ service, address }) => `${service} ${address}`}
      columns={[
        { label: t('system.address'), show: ({ address }) => address },
        { label: t('system.kind'), show: ({ service }) => t(`system.${service}`) },
        {
          label: t('system.versions'),
          show: ({ told }) =>
            told === null
              ? t('system.notResponding')
              : t('system.versionsOf', { own: told.version, node: told.nodeVersion }),
        },
        {
          label: t('system.startedAt'),
          show: ({ told }) => (told === null ? '–' : <Time value={told.startedAt} />),
        },
      ]}
    />
  );
}

function Settings(props: Props & { readonly processes: readonly RunningProcess[] }) {
  const t = usePageText();
  const { q = '', sort = 'name', processes, onChange } = props;
  const search = q.toLowerCase();
  const rows = mergeSettings(processes).filter(
    ({ name, value }) =>
      name.toLowerCase().includes(search) || value?.toLowerCase().includes(search),
  );
  return (
    <>
      <SearchInput
        label={t('system.searchSettings')}
        value={q}
        onChange={(text) => onChange({ q: text || undefined })}
      />
      <DataTable
        empty={<Empty title={t('system.noSetting')} text={t('system.noSettingText')} />}
        label={t('system.tabSettings')}
        minWidth={960}
        rows={sortSettings(rows, sort)}
        keyOf={({ name, value, source }) => `${name} ${source} ${value}`}
        sort={sort}
        onSort={(sorted) => onChange({ sort: sorted })}
        columns={[
          { name: 'name', label: t('system.setting'), show: ({ name }) => name },
          { label: t('system.value'), show: (one) => <Value setting={one} /> },
          { name: 'source', label: t('system.source'), show: ({ source }) => t(sources[source]) },
          {
            label: t('system.where'),
            show: ({ where }) => where?.join(', ') ?? t('system.everywhere'),
          },
        ]}
      />
    </>
  );
}

function Value({ setting }: { readonly setting: Setting }) {
  const t = usePageText();
  const { value, isSecret, source } = setting;
  if (value !== null) return <Code className="field-value">{value}</Code>;
  return isSecret && source !== 'unset' ? t('system.secretSet') : '–';
}
