import { Badge, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AnyRecord } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { keyUsesQuery } from '../../api/system.ts';
import { RecordAvatar } from '../../fields/avatar.tsx';
import { PersonLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import type { PageTranslate } from '../../language/translate.ts';
import type { Column } from '../../parts/list/data-table.tsx';
import { Ago } from '../../parts/time.tsx';
import { PeopleList, type TabProps } from './people-list.tsx';
import { userTypes } from './people-state.ts';

const texts = {
  regular: 'people.typeRegular',
  admin: 'people.typeAdmin',
  api: 'people.typeApi',
} as const;

export function UsersTab(props: TabProps) {
  const t = usePageText();
  const { state, onChange } = props;
  const { user } = useUser();
  // The last use of API keys takes a separate request, which only administrators may send.
  const { data: keyUses } = useQuery({ ...keyUsesQuery, enabled: user.isAdmin });
  const columns: readonly Column<AnyRecord>[] = [
    {
      name: 'userName',
      label: t('people.userName'),
      show: ({ id, userName, name }) => (
        <>
          <RecordAvatar entity="User" id={id} name={name ?? userName} />
          <PersonLink kind="users" id={id} name={userName} />
        </>
      ),
    },
    { name: 'name', label: t('people.name'), show: ({ name }) => String(name ?? '') },
    { name: 'type', label: t('people.type'), show: ({ type }) => typeText(type, t) },
    {
      name: 'isActive',
      label: t('people.state'),
      show: ({ isActive }) => <ActiveBadge isActive={isActive === true} />,
    },
    {
      label: t('people.lastAccess'),
      show: ({ id, lastAccess }) => {
        const at = keyUses?.get(id) ?? lastAccess;
        return typeof at === 'string' ? <Ago value={at} /> : null;
      },
    },
  ];
  return (
    <PeopleList
      {...props}
      kind="users"
      columns={columns}
      select={['userName', 'name', 'type', 'isActive', 'lastAccess']}
      where={
        state.type === undefined ? [] : [{ type: 'equals', attribute: 'type', value: state.type }]
      }
      filter={
        <NativeSelect
          label={t('people.type')}
          value={state.type ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ type: userTypes.find((one) => one === value), page: undefined })
          }
          data={[
            { value: '', label: t('people.allTypes') },
            ...userTypes.map((value) => ({ value, label: t(texts[value]) })),
          ]}
        />
      }
    />
  );
}

function typeText(type: unknown, t: PageTranslate): string {
  const known = userTypes.find((one) => one === type);
  return known === undefined ? String(type ?? '') : t(texts[known]);
}

function ActiveBadge({ isActive }: { readonly isActive: boolean }) {
  const t = usePageText();
  return (
    <Badge color={isActive ? 'green' : 'gray'}>
      {t(isActive ? 'people.active' : 'people.inactive')}
    </Badge>
  );
}
