import { Alert, Button, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../../api/errors.ts';
import { useMetadata, usePartLabel, useTypeLabel } from '../../../api/metadata.ts';
import { type ReadRecord, updateRecord } from '../../../api/records.ts';
import { usePageText } from '../../../language/page-text.ts';
import { DialogActions } from '../../../parts/dialog.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { actions, useActionText, useLevelText } from '../level-badge.tsx';
import { type Difference, type RoleDraft, toValues } from './role-draft.ts';

interface Props {
  readonly found: ReadRecord;
  readonly draft: RoleDraft;
  readonly differences: readonly Difference[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** Lists the changes to a role before they are saved. */
export function ReviewDialog(props: Props) {
  const t = usePageText();
  const { isOpen, onClose } = props;
  return (
    <Modal opened={isOpen} onClose={onClose} size="lg" title={t('people.review')}>
      <Content {...props} />
    </Modal>
  );
}

function Content({ found, draft, differences, onClose, onSaved }: Props) {
  const t = usePageText();
  const placeOf = usePlaceText();
  const levelText = useLevelText();
  const queries = useQueryClient();
  const saving = useMutation({
    mutationFn: () =>
      updateRecord({ entity: 'Role', id: found.record.id, tag: found.tag }, toValues(draft)),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['records'] });
      notifications.show({ message: t('parts.saved') });
      onSaved();
      onClose();
    },
  });
  const shown = (value: string) => (value === '' ? t('people.notSet') : levelText(value));
  return (
    <Stack>
      <DataTable
        label={t('people.review')}
        rows={differences}
        keyOf={(row) => JSON.stringify([row.place, row.parts])}
        minWidth={360}
        columns={[
          { label: t('people.what'), show: placeOf },
          { label: t('people.before'), show: ({ before }) => shown(before) },
          { label: t('people.after'), show: ({ after }) => shown(after) },
        ]}
      />
      <SaveError error={saving.error} onReload={onSaved} />
      <DialogActions
        label={t('parts.save')}
        isDisabled={differences.length === 0}
        isPending={saving.isPending}
        onAct={() => saving.mutate()}
        onCancel={onClose}
      />
    </Stack>
  );
}

function SaveError({
  error,
  onReload,
}: {
  readonly error: unknown;
  readonly onReload: () => void;
}) {
  const t = usePageText();
  const queries = useQueryClient();
  if (error === null) return null;
  const isConflict = error instanceof ApiError && error.status === 412;
  if (!isConflict) {
    return <ErrorAlert error={error} />;
  }
  const reload = async (): Promise<void> => {
    await queries.invalidateQueries({ queryKey: ['records', 'Role'] });
    onReload();
  };
  return (
    <Alert color="yellow" role="alert" title={t('people.conflict')}>
      <Button size="xs" variant="default" onClick={() => void reload()}>
        {t('people.reload')}
      </Button>
    </Alert>
  );
}

function usePlaceText(): (difference: Difference) => string {
  const t = usePageText();
  const metadata = useMetadata();
  const typeLabel = useTypeLabel();
  const partLabel = usePartLabel();
  const actionText = useActionText();
  return ({ place, parts }) => {
    if (place === 'name') return t('people.name');
    const role = metadata.get('Role');
    if (role !== undefined && Object.hasOwn(role.fields, place)) return role.labelOf(place);
    const [first, second] = parts;
    const action = actions.find((one) => one === (second ?? first));
    const field = second === undefined ? [] : [partLabel(place, first ?? '')];
    const actionTexts = action === undefined ? [] : [actionText(action)];
    return [typeLabel(place), ...field, ...actionTexts].join(' · ');
  };
}
