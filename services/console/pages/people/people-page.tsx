import { Stack, Tabs } from '@mantine/core';
import { useMetadata } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { AccessTab } from './access-tab.tsx';
import { type PeopleState, peopleReaders, peopleTabs } from './people-state.ts';
import { RolesTab } from './roles-tab.tsx';
import { TeamsTab } from './teams-tab.tsx';
import { UsersTab } from './users-tab.tsx';

const texts = {
  users: 'people.users',
  teams: 'people.teams',
  roles: 'people.roles',
  access: 'people.readers',
} as const;

/** Users, teams, roles, and access to single records. */
export function PeoplePage() {
  const t = useText();
  const metadata = useMetadata();
  const [state, change] = useSearchState<PeopleState>(peopleReaders);
  // Only administrators see roles.
  const tabs = peopleTabs.filter((tab) => tab !== 'roles' || metadata.has('Role'));
  const props = { state, onChange: change };
  return (
    <Stack p="md">
      <PageTitle>{t('people.title')}</PageTitle>
      <Tabs
        value={state.tab ?? 'users'}
        onChange={(tab) => change({ ...emptyState, tab: peopleTabs.find((one) => one === tab) })}
        keepMounted={false}
        activateTabWithKeyboard={false}
      >
        <Tabs.List mb="md" className="tab-line">
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
