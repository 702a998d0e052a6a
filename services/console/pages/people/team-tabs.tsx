import { useText } from '../../language/language.tsx';
import { RelatedTab } from '../record/related-tab.tsx';
import { PersonDetails } from './person-form.tsx';
import { PersonTabs } from './person-tabs.tsx';
import type { TabsProps } from './tabs-props.ts';

/** A team, its members and its roles. */
export function TeamTabs(props: TabsProps) {
  const t = useText();
  const { entity, found } = props;
  const names = ['name', 'roles', 'description', 'positionList'];
  return (
    <PersonTabs
      tabs={[
        {
          name: 'details',
          label: t('people.details'),
          show: () => (
            <PersonDetails {...props} panelsOf={() => [{ label: entity.label, names }]} />
          ),
        },
        {
          name: 'members',
          label: t('people.members'),
          show: () => <RelatedTab entity={entity} id={found.record.id} link="users" />,
        },
      ]}
    />
  );
}
