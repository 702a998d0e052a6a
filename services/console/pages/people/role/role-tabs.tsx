import { useText } from '../../../language/language.tsx';
import { RelatedTab } from '../../record/related-tab.tsx';
import { PersonTabs } from '../person-tabs.tsx';
import type { TabsProps } from '../tabs-props.ts';
import { RoleEditor } from './role-editor.tsx';

/** The permissions of a role, and its users. */
export function RoleTabs({ entity, found }: TabsProps) {
  const t = useText();
  const { id } = found.record;
  return (
    <PersonTabs
      tabs={[
        {
          name: 'rights',
          label: t('people.rights'),
          show: (state, change) => <RoleEditor found={found} state={state} onState={change} />,
        },
        {
          name: 'members',
          label: t('people.users'),
          show: () => <RelatedTab entity={entity} id={id} link="users" />,
        },
        {
          name: 'teams',
          label: t('people.teams'),
          show: () => <RelatedTab entity={entity} id={id} link="teams" />,
        },
      ]}
    />
  );
}
