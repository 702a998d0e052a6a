import { Stack, Tabs } from '@mantine/core';
import { useMetadata, usePartLabel } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { PersonLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import type { Column } from '../../parts/list/data-table.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { AccessTab } from './access-tab.tsx';
import { LevelBadge } from './level-badge.tsx';
import { PeopleList, type TabProps } from './people-list.tsx';
import { type PeopleState, peopleReaders, peopleTabs } from './people-state.ts';
import { unset } from './role/role-draft.ts';
import { UsersTab } from './users-tab.tsx';

const texts = {
  users: 'people.users',
  teams: 'people.teams',
  roles: 'people.roles',
  access: 'people.readers',
} as const;

/** Users, teams, roles, and access to single records. */
export function PeoplePage() {
  const t = usePageText();
  const metadata = useMetadata();
  const [state, change] = useSearchState<PeopleState>(peopleReaders);
  // Only administrators see roles.
  const tabs = peopleTabs.filter((tab) => tab !== 'roles' || metadata.has('Role'));
  const props = { state, onChange: change };
  return (
    <Stack p="md">
      <PageTitle>{t('titles.people')}</PageTitle>
      <Tabs
        value={state.tab ?? 'users'}
        onChange={(tab) => change({ ...emptyState, tab: peopleTabs.find((one) => one === tab) })}
      >
        <Tabs.List>
          {tabs.map((tab) => (
            <Tabs.Tab key={tab} value={tab}>
              {t(texts[tab])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="users">
          <UsersTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="teams">
          <TeamsTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="roles">
          <RolesTab {...props} />
        </Tabs.Panel>
        <Tabs.Panel value="access">
          <AccessTab {...props} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

/** Resets the state when the tab changes. */
const emptyState: Partial<PeopleState> = {
  q: undefined,
  sort: undefined,
  page: undefined,
  type: undefined,
  entity: undefined,
  id: undefined,
};

function TeamsTab(props: TabProps) {
  const t = usePageText();
  const columns: readonly Column<AnyRecord>[] = [
    {
      name: 'name',
      label: t('people.name'),
      show: ({ id, name }) => <PersonLink kind="teams" id={id} name={name} />,
    },
    {
      label: t('people.description'),
      show: ({ description }) => <span className="field-value">{String(description || '–')}</span>,
    },
  ];
  return <PeopleList {...props} kind="teams" columns={columns} select={['name', 'description']} />;
}

/** Only the permissions that Annals enforces. */
const shown = ['assignmentPermission', 'exportPermission', 'massUpdatePermission'];

function RolesTab(props: TabProps) {
  const t = usePageText();
  const partLabel = usePartLabel();
  const columns: readonly Column<AnyRecord>[] = [
    {
      name: 'name',
      label: t('people.name'),
      show: ({ id, name }) => <PersonLink kind="roles" id={id} name={name} />,
    },
    ...shown.map((name) => ({
      label: partLabel('Role', name),
      show: (role: AnyRecord) => <PermissionLevel level={role[name]} />,
    })),
  ];
  return <PeopleList {...props} kind="roles" columns={columns} select={['name', ...shown]} />;
}

function PermissionLevel({ level }: { readonly level: unknown }) {
  return typeof level === 'string' && level !== unset ? <LevelBadge level={level} /> : '–';
}
