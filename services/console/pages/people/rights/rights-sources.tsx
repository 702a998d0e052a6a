import { List, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { type AnyRecord, recordQuery } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { PersonLink } from '../person-link.tsx';

interface Named {
  readonly id: string;
  readonly name: string;
}

/** The roles of a user, and the teams through which they apply. */
export function RightsSources({ user }: { readonly user: AnyRecord }) {
  const t = useText();
  const own = linkedOf(user, 'roles');
  const teams = useRolesOfTeams(linkedOf(user, 'teams').map(({ id }) => id));
  if (own.length === 0 && teams.every(({ roles }) => roles.length === 0)) {
    return <Text size="sm">{t('people.noRoleText')}</Text>;
  }
  return (
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

function linkedOf(record: AnyRecord, link: string): readonly Named[] {
  const ids = record[`${link}Ids`];
  const names = Object(record[`${link}Names`]);
  return (Array.isArray(ids) ? ids : []).map((id) => ({
    id: String(id),
    name: String(names[id] ?? id),
  }));
}
