import {
  Badge,
  Button,
  Group,
  NativeSelect,
  Skeleton,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type AuditEntry, type AuditFilter, auditKinds, auditQuery } from '../../api/system.ts';
import { Author } from '../../fields/author.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { AnyValue } from '../../parts/any-value.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Time } from '../../parts/time.tsx';

interface Props {
  readonly filter: Partial<AuditFilter>;
  readonly onChange: (change: Partial<AuditFilter>) => void;
}

/** The audit of sign-ins and changes of permissions, the data model and webhooks. */
export function AuditTab({ filter, onChange }: Props) {
  const t = useText();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery(
    auditQuery(filter),
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
  const t = useText();
  return isFiltered ? (
    <Empty title={t('system.noAuditMatch')} text={t('system.noAuditMatchText')} />
  ) : (
    <Empty title={t('system.noAudit')} text={t('system.noAuditText')} />
  );
}

function Filters({ filter, onChange }: Props) {
  const t = useText();
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
        <TextInput
          key={name}
          type="date"
          label={t(name === 'from' ? 'system.auditFrom' : 'system.auditTo')}
          value={filter[name] ?? ''}
          onChange={({ currentTarget: { value } }) => onChange({ [name]: value || undefined })}
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

const kindTexts = {
  signIn: 'system.auditSignIn',
  user: 'system.auditOfUser',
  role: 'system.auditOfRole',
  team: 'system.auditOfTeam',
  definition: 'system.auditOfDefinition',
  webhook: 'system.auditOfWebhook',
} as const;

const actions = {
  created: ['time.created', 'green'],
  updated: ['time.updated', 'blue'],
  deleted: ['time.deleted', 'red'],
  restored: ['time.restored', 'green'],
  signedIn: ['system.signedIn', 'green'],
  refused: ['system.refused', 'red'],
} as const;

/** Lists audit entries in the order of the API, newest first. */
function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const t = useText();
  return (
    <DataTable
      label={t('system.tabAudit')}
      minWidth={860}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { label: t('log.at'), show: ({ at }) => <Time value={at} hasSeconds /> },
        { label: t('system.auditKind'), show: ({ kind }) => t(kindTexts[kind]) },
        { label: t('log.what'), show: ({ action }) => <Action action={action} /> },
        { label: t('log.by'), show: (entry) => <AuthorOf entry={entry} /> },
        { label: t('system.auditAbout'), show: (entry) => <About entry={entry} /> },
        {
          label: t('system.auditRequest'),
          show: ({ requestId }) => (
            <Text span size="xs" className="field-value">
              {requestId ?? '–'}
            </Text>
          ),
        },
      ]}
    />
  );
}

function Action({ action }: { readonly action: AuditEntry['action'] }) {
  const t = useText();
  const [text, color] = actions[action];
  return <Badge color={color}>{t(text)}</Badge>;
}

function AuthorOf({ entry }: { readonly entry: AuditEntry }) {
  const { byId, signIn } = entry;
  if (byId === null) return signIn?.userName ?? '–';
  return <Author event={{ ...entry, byId }} />;
}

function About({ entry }: { readonly entry: AuditEntry }) {
  const t = useText();
  const { record, changes, signIn } = entry;
  if (signIn !== null) {
    const { method, address, reason, attempts } = signIn;
    const text = [address, method, ...(reason === null ? [] : [reason])].join(', ');
    return attempts === 1 ? text : `${text} ${t('system.attempts', { count: attempts })}`;
  }
  if (record === null) return null;
  return (
    <Stack gap="xs">
      <Named record={record} />
      {(changes ?? []).length === 0 ? null : (
        <details>
          <summary>{t('system.attributes', { count: changes?.length ?? 0 })}</summary>
          {changes?.map(({ attribute, before, after }) => (
            <Text key={attribute} size="sm" component="div" className="field-value">
              {attribute}: <AnyValue value={before} /> → <AnyValue value={after} />
            </Text>
          ))}
        </details>
      )}
    </Stack>
  );
}

/** Entity types with dedicated administration pages. */
const linked: ReadonlySet<string> = new Set(['User', 'Team', 'Role']);

function Named({ record }: { readonly record: NonNullable<AuditEntry['record']> }) {
  const { entityType, id, name } = record;
  if (linked.has(entityType)) return <RecordLink entity={entityType} id={id} name={name} />;
  return <span>{name ?? id}</span>;
}
