import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Metadata, useMetadata } from '../../api/metadata.ts';
import { usersAccessQuery } from '../../api/people.ts';
import { recordQuery } from '../../api/records.ts';
import { RecordSelect } from '../../fields/link-inputs.tsx';
import { PersonLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { LevelBadge, useActionText } from './level-badge.tsx';
import type { TabProps } from './people-list.tsx';

/** The users with read access to a record, and their other permissions for it. */
export function AccessTab({ state, onChange }: TabProps) {
  const t = usePageText();
  const types = typesOf(useMetadata());
  const entity = state.entity ?? types[0]?.name ?? '';
  const id = state.id ?? '';
  const record = useQuery({ ...recordQuery(entity, id), enabled: id !== '' });
  const name = record.data?.record['name'];
  return (
    <Stack>
      <Text size="sm">{t('people.readersText')}</Text>
      <Group align="flex-start">
        <NativeSelect
          label={t('people.entityType')}
          value={entity}
          onChange={({ currentTarget }) => onChange({ entity: currentTarget.value, id: undefined })}
          data={types.map((one) => ({ value: one.name, label: one.label }))}
        />
        <RecordSelect
          key={`${entity} ${String(name)}`}
          entity={entity}
          label={t('people.record')}
          value={id}
          shown={typeof name === 'string' ? name : id}
          onPick={(picked) => onChange({ entity, id: picked ?? undefined })}
        />
      </Group>
      {id === '' ? (
        <Empty title={t('people.noRecord')} text={t('people.noRecordText')} />
      ) : (
        <UsersOf entity={entity} id={id} />
      )}
    </Stack>
  );
}

function typesOf(metadata: Metadata) {
  return [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

const shown = ['read', 'edit', 'delete', 'stream'] as const;

function UsersOf({ entity, id }: { readonly entity: string; readonly id: string }) {
  const t = usePageText();
  const actionText = useActionText();
  const found = useQuery(usersAccessQuery(entity, id));
  if (found.data === undefined) return <Pending query={found} height={160} />;
  const { list, total } = found.data;
  if (list.length === 0)
    return <Empty title={t('people.noReaders')} text={t('people.noReadersText')} />;
  return (
    <Stack gap="xs">
      <Text size="sm" role="status">
        {t('people.readerCount', { count: total })}
      </Text>
      <DataTable
        label={t('people.readers')}
        minWidth={720}
        rows={list}
        keyOf={(user) => user.id ?? ''}
        columns={[
          {
            label: t('people.userName'),
            show: (user) => <PersonLink kind="users" id={user.id ?? ''} name={user.userName} />,
          },
          { label: t('people.name'), show: (user) => user.name },
          ...shown.map((action) => ({
            label: actionText(action),
            show: (user: (typeof list)[number]) => (
              <LevelBadge level={user[action] === true ? 'yes' : 'no'} />
            ),
          })),
        ]}
      />
    </Stack>
  );
}
