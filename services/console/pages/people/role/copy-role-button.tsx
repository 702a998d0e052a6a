import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type AnyRecord, createRecord } from '../../../api/records.ts';
import { usePageText } from '../../../language/page-text.ts';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { toDraft, toValues } from './role-draft.ts';

/** Creates a role with the saved permissions of another one, and opens it. */
export function CopyRoleButton({ role }: { readonly role: AnyRecord }) {
  const t = usePageText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const draft = toDraft(role);
  const copying = useMutation({
    mutationFn: () =>
      createRecord('Role', { ...toValues(draft), name: t('people.copyOf', { name: draft.name }) }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      void navigate({ to: '/people/$kind/$id', params: { kind: 'roles', id } });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  return (
    <Button variant="default" loading={copying.isPending} onClick={() => copying.mutate()}>
      {t('people.copyRole')}
    </Button>
  );
}
