import { Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, useState } from 'react';
import { type AnyRecord, updateRecord } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import type { Values } from '../../fields/input-parts.ts';
import { ValuesForm } from '../../fields/values-form.tsx';
import { usePageText } from '../../language/page-text.ts';
import { RecordFields, SideFields } from '../record/facts/record-fields.tsx';
import { kinds } from './kinds.ts';
import type { TabsProps } from './person-tabs.tsx';
import { withOfferedTypes } from './user-fields.tsx';

type FormProps = ComponentProps<typeof ValuesForm>;

interface DetailsProps extends TabsProps, Pick<FormProps, 'extra' | 'panelsOf'> {
  readonly onSaved?: (record: AnyRecord, changed: Values) => void;
}

/** The fields of a user or team. Administrators can edit them. */
export function PersonDetails(props: DetailsProps) {
  const { entity, found } = props;
  if (useUser().user.isAdmin) return <PersonForm {...props} />;
  return (
    <Stack>
      <RecordFields entity={entity} record={found.record} />
      <SideFields entity={entity} record={found.record} columns={1} />
    </Stack>
  );
}

/** After each save, the form continues with the saved values. */
export function PersonForm({ entity, found, onSaved, ...form }: DetailsProps) {
  const t = usePageText();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [saves, setSaves] = useState(0);
  const saving = useMutation({
    mutationFn: (values: Values) =>
      updateRecord({ entity: entity.name, id: found.record.id, tag: found.tag }, values),
    onSuccess: async (record, changed) => {
      notifications.show({ message: t('parts.saved') });
      await queries.invalidateQueries({ queryKey: ['records', entity.name] });
      onSaved?.(record, changed);
      setSaves((count) => count + 1);
    },
  });
  return (
    <ValuesForm
      {...form}
      key={saves}
      entity={withOfferedTypes(entity, found.record['type'])}
      initial={found.record}
      isSaving={saving.isPending}
      error={saving.error}
      onSave={(values) => saving.mutate(values)}
      onCancel={() =>
        void navigate({
          to: '/people',
          search: { tab: entity.name === kinds.teams.entity ? 'teams' : 'users' },
        })
      }
      onReload={() => {
        saving.reset();
        void queries.invalidateQueries({ queryKey: ['records', entity.name] });
      }}
    />
  );
}
