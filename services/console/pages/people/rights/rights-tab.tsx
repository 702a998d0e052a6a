import { Alert, List, Stack, Text, Title } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { usePartLabel, useTypeLabel } from '../../../api/metadata.ts';
import { type Rights, rightsQuery } from '../../../api/people.ts';
import { type AnyRecord, recordQuery } from '../../../api/records.ts';
import { linkedOf } from '../../../fields/input-parts.ts';
import { PersonLink } from '../../../fields/record-link.tsx';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { actions, LevelBadge, useActionText } from '../level-badge.tsx';

/** The effective permissions of a user: their own roles and those of their teams combined. */
export function RightsTab({ user }: { readonly user: AnyRecord }) {
  const t = usePageText();
  const found = useQuery(rightsQuery(user.id));
  if (found.data === undefined) return <Pending query={found} height={320} />;
  const rights = found.data;
  return (
    <Stack>
      {user['type'] === 'admin' ? (
        <Alert color="blue">{t('people.adminText')}</Alert>
      ) : (
        <RightsSources user={user} />
      )}
      {user['isActive'] === false ? <Alert color="yellow">{t('people.inactiveText')}</Alert> : null}
      <Title>{t('people.records')}</Title>
      <Levels rights={rights} />
      <Title>{t('people.restrictedFields')}</Title>
      <RestrictedFields rights={rights} />
      <Title>{t('people.permissions')}</Title>
      <Permissions rights={rights} />
    </Stack>
  );
}

type Granted = Rights['table'][string];

function Levels({ rights }: { readonly rights: Rights }) {
  const t = usePageText();
  const labelOf = useTypeLabel();
  const actionText = useActionText();
  const rows = Object.entries(rights.table)
    .map(([scope, granted]) => ({ scope, label: labelOf(scope), granted }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const columns: readonly Column<(typeof rows)[number]>[] = [
    { label: t('people.scope'), show: ({ label }) => label },
    ...actions.map((action) => ({
      label: actionText(action),
      show: ({ granted }: { readonly granted: Granted }) => <Level granted={granted} of={action} />,
    })),
  ];
  return (
    <DataTable
      label={t('people.records')}
      columns={columns}
      rows={rows}
      keyOf={({ scope }) => scope}
      minWidth={720}
    />
  );
}

/** A scope without levels shows its permission in the read column. */
function Level({ granted, of }: { readonly granted: Granted; readonly of: string }) {
  if (typeof granted === 'boolean') {
    return of === 'read' ? <LevelBadge level={granted ? 'yes' : 'no'} /> : null;
  }
  const level = granted[of];
  return level === undefined ? null : <LevelBadge level={level} />;
}

function RestrictedFields({ rights }: { readonly rights: Rights }) {
  const t = usePageText();
  const typeLabel = useTypeLabel();
  const partLabel = usePartLabel();
  const rows = Object.entries(rights.fieldTable).flatMap(([entity, fields]) =>
    Object.entries(fields).map(([field, { read, edit }]) => ({ entity, field, read, edit })),
  );
  return (
    <DataTable
      empty={
        <Empty title={t('people.noRestrictedFields')} text={t('people.noRestrictedFieldsText')} />
      }
      label={t('people.restrictedFields')}
      rows={rows}
      keyOf={({ entity, field }) => `${entity} ${field}`}
      columns={[
        {
          label: t('people.field'),
          show: ({ entity, field }) => `${typeLabel(entity)}: ${partLabel(entity, field)}`,
        },
        { label: t('people.read'), show: ({ read }) => <LevelBadge level={read} /> },
        { label: t('people.edit'), show: ({ edit }) => <LevelBadge level={edit} /> },
      ]}
    />
  );
}

function Permissions({ rights }: { readonly rights: Rights }) {
  const t = usePageText();
  const partLabel = usePartLabel();
  const rows = Object.entries(rights).filter(([name]) => name.endsWith('Permission'));
  return (
    <>
      <Hint>{t('people.permissionsText')}</Hint>
      <DataTable
        label={t('people.permissions')}
        rows={rows}
        keyOf={([name]) => name}
        minWidth={280}
        columns={[
          { label: t('people.permission'), show: ([name]) => partLabel('Role', name) },
          { label: t('people.level'), show: ([, level]) => <LevelBadge level={String(level)} /> },
        ]}
      />
    </>
  );
}

/** The roles of a user, and the teams through which they apply. */
function RightsSources({ user }: { readonly user: AnyRecord }) {
  const t = usePageText();
  const own = linkedOf(user, 'roles');
  const teams = useRolesOfTeams(linkedOf(user, 'teams').map(({ id }) => id));
  if (own.length === 0 && teams.every(({ roles }) => roles.length === 0)) {
    return <Text size="sm">{t('people.noRoleText')}</Text>;
  }
  return (
    <>
      <Title>{t('people.roles')}</Title>
      <List size="sm">
        {own.map((role) => (
          <List.Item key={role.id}>
            <PersonLink kind="roles" {...role} />
          </List.Item>
        ))}
        {teams.flatMap(({ team, roles }) =>
          roles.map((role) => (
            <List.Item key={`${team.id} ${role.id}`}>
              <PersonLink kind="roles" {...role} /> {t('people.through')}{' '}
              <PersonLink kind="teams" {...team} />
            </List.Item>
          )),
        )}
      </List>
    </>
  );
}

function useRolesOfTeams(ids: readonly string[]) {
  const found = useQueries({ queries: ids.map((id) => recordQuery('Team', id)) });
  return found.flatMap(({ data }) => {
    if (data === undefined) return [];
    const { record } = data;
    const team = { id: record.id, name: String(record['name'] ?? '') };
    return [{ team, roles: linkedOf(record, 'roles') }];
  });
}
