import { Button, Group, NativeSelect, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditFilter, auditKinds, auditQuery } from '../../api/system.ts';
import { toUtc } from '../../language/local-time.ts';
import { usePageText } from '../../language/page-text.ts';
import { useTimeSettings } from '../../language/time-settings.ts';
import { MomentInput } from '../../parts/dates/moment-input.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { AuditTable, kindTexts } from './audit-table.tsx';

interface Props {
  readonly filter: Partial<AuditFilter>;
  readonly onChange: (change: Partial<AuditFilter>) => void;
}

/** The audit of sign-ins and changes of permissions, the data model and webhooks. */
export function AuditTab({ filter, onChange }: Props) {
  const t = usePageText();
  const { timeZone } = useTimeSettings();
  const startOf = (day: string | undefined) => day && (toUtc(`${day}T00:00`, timeZone) ?? day);
  const times = { from: startOf(filter.from), to: startOf(filter.to) };
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery({ ...filter, ...times }),
  );
  const entries = data?.pages.flatMap(({ list }) => list);
  return (
    <Stack>
      <Text size="sm">{t('system.auditText')}</Text>
      <Filters filter={filter} onChange={onChange} />
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {entries === undefined ? (
        error === null ? (
          <Skeleton h={320} />
        ) : null
      ) : entries.length === 0 ? (
        <NoEntries isFiltered={Object.keys(filter).length > 0} />
      ) : (
        <AuditTable entries={entries} />
      )}
      {hasNextPage ? (
        <Group>
          <Button
            variant="default"
            loading={isFetchingNextPage}
            onClick={() => void fetchNextPage()}
          >
            {t('system.older')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

function NoEntries({ isFiltered }: { readonly isFiltered: boolean }) {
  const t = usePageText();
  return isFiltered ? (
    <Empty title={t('system.noAuditMatch')} text={t('system.noAuditMatchText')} />
  ) : (
    <Empty title={t('system.noAudit')} text={t('system.noAuditText')} />
  );
}

function Filters({ filter, onChange }: Props) {
  const t = usePageText();
  return (
    <Group align="flex-end" component="search" aria-label={t('system.auditFilters')}>
      <NativeSelect
        label={t('system.auditKind')}
        value={filter.kind ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ kind: auditKinds.find((kind) => kind === value) })
        }
        data={[
          { value: '', label: t('log.any') },
          ...auditKinds.map((value) => ({ value, label: t(kindTexts[value]) })),
        ]}
      />
      {(['from', 'to'] as const).map((name) => (
        <MomentInput
          key={name}
          kind="day"
          label={t(name === 'from' ? 'system.auditFrom' : 'system.auditTo')}
          value={filter[name] ?? ''}
          onChange={(day) => onChange({ [name]: day || undefined })}
        />
      ))}
      <SearchInput
        label={t('system.auditUser')}
        value={filter.user ?? ''}
        onChange={(user) => onChange({ user: user.trim() || undefined })}
      />
    </Group>
  );
}
