import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { keysIn } from '../../api/people.ts';
import { createRecord } from '../../api/records.ts';
import type { Values } from '../../fields/input-parts.ts';
import { ValuesForm } from '../../fields/values-form.tsx';
import { usePageText } from '../../language/page-text.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { NewKeys } from './key-panel.tsx';
import { isKind, type Kind, kinds } from './kinds.ts';
import { TemplateInput } from './role/template-input.tsx';
import { type FormExtra, PasswordPart, useUserPanels, withOfferedTypes } from './user-fields.tsx';

/** The page for a new user, team or role. */
export function CreatePersonPage() {
  const { kind } = useParams({ from: '/people/new/$kind' });
  const metadata = useMetadata();
  const entity = isKind(kind) ? metadata.get(kinds[kind].entity) : undefined;
  if (!isKind(kind) || entity === undefined) return <NotFound />;
  return <Create key={kind} kind={kind} entity={entity} />;
}

const defaults: Readonly<Record<Kind, Values>> = {
  users: { type: 'regular', isActive: true },
  teams: {},
  roles: {},
};

function Create({ kind, entity }: { readonly kind: Kind; readonly entity: Entity }) {
  const t = usePageText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const userPanels = useUserPanels();
  const creating = useMutation({
    mutationFn: (values: Values) => createRecord(entity.name, values),
    onSuccess: (created) => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      notifications.show({ message: t('parts.saved') });
      // Stays on the page to show the new keys.
      if (created['type'] === 'api') return;
      void navigate({
        to: '/people/$kind/$id',
        params: { kind, id: created.id },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  const made = creating.data;
  if (made?.['type'] === 'api') {
    return (
      <Stack p="md" align="flex-start">
        <PageTitle key="made">{String(made['userName'])}</PageTitle>
        <NewKeys keys={keysIn(made)} />
        <ButtonLink to="/people/$kind/$id" params={{ kind, id: made.id }} replace>
          {t('people.toUser')}
        </ButtonLink>
      </Stack>
    );
  }
  const names = kind === 'roles' ? ['name'] : ['name', 'roles', 'description'];
  return (
    <Stack p="md">
      <PageTitle>{t(kinds[kind].newText)}</PageTitle>
      <ValuesForm
        entity={withOfferedTypes(entity, undefined)}
        initial={defaults[kind]}
        panelsOf={kind === 'users' ? userPanels : () => [{ label: entity.label, names }]}
        extra={(extra) => <Extra kind={kind} {...extra} />}
        isSaving={creating.isPending || creating.isSuccess}
        error={creating.error}
        onSave={(values) => creating.mutate({ ...defaults[kind], ...values })}
        onCancel={() => void navigate({ to: '/people', search: { tab: kind } })}
      />
    </Stack>
  );
}

function Extra({ kind, ...extra }: FormExtra & { readonly kind: Kind }) {
  if (kind === 'users') return <PasswordPart {...extra} isNew />;
  return kind === 'roles' ? <TemplateInput onChange={extra.onChange} /> : null;
}
