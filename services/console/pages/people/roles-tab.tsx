import { usePartLabel } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { useText } from '../../language/language.tsx';
import type { Column } from '../../parts/list/data-table.tsx';
import { LevelBadge } from './level-badge.tsx';
import { PeopleList, type TabProps } from './people-list.tsx';
import { PersonLink } from './person-link.tsx';
import { unset } from './role/role-draft.ts';

/** Permissions that Annals enforces. */
const shown = ['assignmentPermission', 'exportPermission', 'massUpdatePermission'];

export function RolesTab(props: TabProps) {
  const t = useText();
  const partLabel = usePartLabel();
  const columns: readonly Column<AnyRecord>[] = [
    {
      name: 'name',
      label: t('people.name'),
      isSortable: true,
      show: ({ id, name }) => <PersonLink kind="roles" id={id} name={name} />,
    },
    ...shown.map((name) => ({
      name,
      label: partLabel('Role', name),
      show: (role: AnyRecord) => <PermissionLevel level={role[name]} />,
    })),
  ];
  return <PeopleList {...props} kind="roles" columns={columns} />;
}

function PermissionLevel({ level }: { readonly level: unknown }) {
  return typeof level === 'string' && level !== unset ? <LevelBadge level={level} /> : null;
}
