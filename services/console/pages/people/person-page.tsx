import { Button, Group, Stack } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { type Keys, keysIn } from '../../api/people.ts';
import { type AnyRecord, recordQuery, removeRecord } from '../../api/records.ts';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { openView } from '../../api/view-as.ts';
import { RecordAvatar } from '../../fields/avatar.tsx';
import { usePageText } from '../../language/page-text.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { PendingPage } from '../../parts/page/pending.tsx';
import { type RelatedState, RelatedTab } from '../record/related-tab.tsx';
import { IntegrationTab } from './integration-tab.tsx';
import { KeyPanel } from './key-panel.tsx';
import { isKind, type Kind, kinds } from './kinds.ts';
import { PersonDetails } from './person-form.tsx';
import { PersonTabs, type TabsProps } from './person-tabs.tsx';
import { RightsTab } from './rights/rights-tab.tsx';
import { CopyRoleButton } from './role/copy-role-button.tsx';
import { RoleEditor } from './role/role-editor.tsx';
import { SendLinkButton } from './send-link-button.tsx';
import { PasswordPart, useUserPanels } from './user-fields.tsx';

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
    return <PendingPage title={entity.label} query={found} />;
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
        <Group gap="sm" wrap="nowrap" miw={0}>
          <RecordAvatar
            entity={entity.name}
            id={record.id}
            name={record['name'] || name}
            size="lg"
          />
          <PageTitle>{String(record['name'] || name)}</PageTitle>
        </Group>
        <Group gap="xs">
          {kind === 'users' ? <SendLinkButton user={record} /> : null}
          {kind === 'users' ? <ViewAsButton user={record} /> : null}
          {kind === 'roles' ? <CopyRoleButton role={record} /> : null}
          {isRemovable ? <DeleteButton kind={kind} id={record.id} name={name} /> : null}
        </Group>
      </Group>
      <Content entity={entity} found={found} />
    </Stack>
  );
}

/** Opens the console as another active user sees it. For administrators. */
function ViewAsButton({ user: viewed }: { readonly user: AnyRecord }) {
  const t = usePageText();
  const { user } = useUser();
  const isOffered = user.isAdmin && viewed.id !== user.id && viewed['isActive'] === true;
  if (!isOffered || viewed['type'] === 'system') return null;
  return (
    <Button variant="default" onClick={() => openView(String(viewed['userName']))}>
      {t('viewAs.open')}
    </Button>
  );
}

const lost = {
  users: 'people.deleteUserText',
  teams: 'people.deleteTeamText',
  roles: 'people.deleteRoleText',
} as const;

function DeleteButton(props: { readonly kind: Kind; readonly id: string; readonly name: string }) {
  const t = usePageText();
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

/** A team, its members and its roles. */
function TeamTabs(props: TabsProps) {
  const t = usePageText();
  const { entity, found } = props;
  const names = ['name', 'roles', 'description', 'positionList'];
  return (
    <PersonTabs
      tabs={[
        {
          name: 'details',
          label: t('people.details'),
          show: () => (
            <PersonDetails
              {...props}
              entity={withPositionsText(entity, t('people.positionsText'))}
              panelsOf={() => [{ label: entity.label, names }]}
            />
          ),
        },
        {
          name: 'members',
          label: t('people.members'),
          show: () => <Linked entity={entity} found={found} link="users" />,
        },
      ]}
    />
  );
}

/** Returns the entity type Team with an explanation of its positions, unless an administrator has set one. */
function withPositionsText(entity: Entity, tooltip: string): Entity {
  const { positionList } = entity.fields;
  if (positionList === undefined || positionList.tooltip) return entity;
  return { ...entity, fields: { ...entity.fields, positionList: { ...positionList, tooltip } } };
}

/** A list of linked users, teams or roles. Its search is not kept in the URL. */
function Linked({ entity, found, link }: TabsProps & { readonly link: string }) {
  const [state, setState] = useState<Partial<RelatedState>>({});
  return (
    <RelatedTab
      entity={entity}
      record={found.record}
      link={link}
      past={undefined}
      state={state}
      onChange={(change) => setState({ ...state, ...change })}
    />
  );
}

/** The permissions of a role, and its users. */
function RoleTabs({ entity, found }: TabsProps) {
  const t = usePageText();
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
          show: () => <Linked entity={entity} found={found} link="users" />,
        },
        {
          name: 'teams',
          label: t('people.teams'),
          show: () => <Linked entity={entity} found={found} link="teams" />,
        },
      ]}
    />
  );
}

/** A user and their effective permissions. For API users, administrators also see what the integration does. */
function UserTabs(props: TabsProps) {
  const t = usePageText();
  const { record } = props.found;
  const isAdmin = isAdministrator(useUser());
  const integration = {
    name: 'integration' as const,
    label: t('people.integration'),
    show: () => <IntegrationTab user={record} />,
  };
  return (
    <PersonTabs
      tabs={[
        {
          name: 'details',
          label: t('people.details'),
          show: () => <Details {...props} />,
        },
        {
          name: 'rights',
          label: t('people.effective'),
          show: () => <RightsTab user={record} />,
        },
        ...(isAdmin && record['type'] === 'api' ? [integration] : []),
      ]}
    />
  );
}

function Details(props: TabsProps) {
  const panelsOf = useUserPanels();
  const [keys, setKeys] = useState<Keys>();
  const { record } = props.found;
  const { user } = useUser();
  return (
    <Stack>
      {record['type'] === 'api' && user.isAdmin ? (
        <KeyPanel user={record} keys={keys} onKeys={setKeys} />
      ) : null}
      <PersonDetails
        {...props}
        panelsOf={panelsOf}
        extra={(extra) => <PasswordPart {...extra} isNew={false} />}
        onSaved={(saved, changed) => {
          // The server generates new keys when the authentication method changes.
          if (saved['type'] === 'api' && ('authMethod' in changed || 'type' in changed)) {
            setKeys(keysIn(saved));
          }
        }}
      />
    </Stack>
  );
}
