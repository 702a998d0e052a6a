import type { AnyRecord } from '../../api/records.ts';
import { useText } from '../../language/language.tsx';
import type { Column } from '../../parts/list/data-table.tsx';
import { PeopleList, type TabProps } from './people-list.tsx';
import { PersonLink } from './person-link.tsx';

export function TeamsTab(props: TabProps) {
  const t = useText();
  const columns: readonly Column<AnyRecord>[] = [
    {
      name: 'name',
      label: t('people.name'),
      isSortable: true,
      show: ({ id, name }) => <PersonLink kind="teams" id={id} name={name} />,
    },
    {
      name: 'description',
      label: t('people.description'),
      show: ({ description }) => <span className="field-value">{String(description ?? '')}</span>,
    },
  ];
  return <PeopleList {...props} kind="teams" columns={columns} />;
}
