import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { createRecord } from '../../api/records.ts';
import { useRights } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { untilWritten, useFormKey, useMarkUnread } from '../../api/write.ts';
import { nameOf } from '../../fields/duplicates.tsx';
import type { Values } from '../../fields/input-parts.ts';
import { defaultsOf, requiredValuesOf } from '../../fields/new-values.ts';
import { useText } from '../../language/language.tsx';
import { NoAccess, UnknownType } from '../../parts/page/no-access.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { RecordForm } from './record-form.tsx';
import { useLinkingValues } from './related/new-here.tsx';

export function CreatePage() {
  const { entity: name } = useParams({ from: '/create/$entity' });
  const entity = useMetadata().get(name);
  const t = useText();
  const rights = useRights(name);
  if (entity === undefined) return <UnknownType name={name} />;
  if (!rights.may('create')) {
    return <NoAccess text={t('record.noCreate', { entity: entity.label })} />;
  }
  return <Create key={name} entity={entity} />;
}

function Create({ entity }: { readonly entity: Entity }) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const session = useUser();
  const linking = useLinkingValues(entity);
  const [required] = useState(() => ({ ...requiredValuesOf(entity, session), ...linking }));
  const back = () => void navigate({ to: '/records/$entity', params: { entity: entity.name } });
  const keyOf = useFormKey();
  const markUnread = useMarkUnread();
  const saving = useMutation({
    mutationFn: ({ values, ...options }: { values: Values; skipDuplicateCheck?: boolean }) => {
      const body = { ...required, ...values };
      return untilWritten(createRecord(entity.name, body, { ...options, key: keyOf(body) }));
    },
    onSuccess: (written, { values }) => {
      const { id } = written;
      if (written.kind === 'unread') {
        const name = String(nameOf(values) || entity.label);
        void markUnread({ entity: entity.name, id, name, token: written.token });
      }
      void queries.invalidateQueries({ queryKey: ['records'] });
      notifications.show({ message: t('parts.saved') });
      void navigate({
        to: '/records/$entity/$id',
        params: { entity: entity.name, id },
        replace: true,
        ignoreBlocker: true,
      });
    },
  });
  return (
    <Stack p="md">
      <PageTitle>{t('record.createTitle', { entity: entity.label })}</PageTitle>
      <RecordForm
        entity={entity}
        initial={{ ...defaultsOf(entity), ...required }}
        isSaving={saving.isPending}
        error={saving.error}
        onSave={(values, options) => saving.mutate({ values, ...options })}
        onCancel={back}
      />
    </Stack>
  );
}
