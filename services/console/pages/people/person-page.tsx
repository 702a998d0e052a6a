import { Group, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { recordQuery, removeRecord } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageSkeleton } from '../../parts/page/page-skeleton.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { isKind, type Kind, kinds } from './kinds.ts';
import { RoleTabs } from './role/role-tabs.tsx';
import type { TabsProps } from './tabs-props.ts';
import { TeamTabs } from './team-tabs.tsx';
import { UserTabs } from './user-tabs.tsx';

/** The page of one user, team or role. */
export function PersonPage() {
  const { kind, id } = useParams({ from: '/people/$kind/$id' });
  const metadata = useMetadata();
  const entity = isKind(kind) ? metadata.get(kinds[kind].entity) : undefined;
  if (!isKind(kind) || entity === undefined) return <NotFound />;
  return <Person key={`${kind} ${id}`} kind={kind} entity={entity} id={id} />;
}

interface Props {
  readonly kind: Kind;
  readonly entity: Entity;
  readonly id: string;
}

function Person({ kind, entity, id }: Props) {
  const found = useQuery(recordQuery(entity.name, id));
  if (found.error instanceof ApiError && found.error.status === 404) return <NotFound />;
  if (found.data === undefined) {
    if (found.error === null) return <PageSkeleton />;
    return (
      <Stack p="md">
        <PageTitle>{entity.label}</PageTitle>
        <LoadError error={found.error} onRetry={() => void found.refetch()} />
      </Stack>
    );
  }
  return <Loaded kind={kind} entity={entity} found={found.data} />;
}

const tabsOf = { users: UserTabs, teams: TeamTabs, roles: RoleTabs } as const;

function Loaded(props: TabsProps & { readonly kind: Kind }) {
  const { kind, entity, found } = props;
  const { user } = useUser();
  const { record } = found;
  const name = String(record['userName'] ?? record['name'] ?? record.id);
  const Content = tabsOf[kind];
  // Users cannot delete themselves.
  const isRemovable = user.isAdmin && record.id !== user.id && record.id !== 'system';
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <PageTitle>{name}</PageTitle>
        {isRemovable ? <DeleteButton kind={kind} id={record.id} name={name} /> : null}
      </Group>
      <Content entity={entity} found={found} />
    </Stack>
  );
}

const lost = {
  users: 'people.deleteUserText',
  teams: 'people.deleteTeamText',
  roles: 'people.deleteRoleText',
} as const;

function DeleteButton(props: { readonly kind: Kind; readonly id: string; readonly name: string }) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { kind, id, name } = props;
  const { entity } = kinds[kind];
  const leave = async (): Promise<void> => {
    queries.removeQueries({ queryKey: recordQuery(entity, id).queryKey });
    await navigate({ to: '/people', search: { tab: kind } });
    void queries.invalidateQueries({ queryKey: ['records'] });
  };
  return (
    <ConfirmByName
      label={t('record.delete')}
      title={t('record.deleteTitle', { name })}
      text={t(lost[kind])}
      name={name}
      act={() => removeRecord(entity, id)}
      onDone={() => void leave()}
    />
  );
}
