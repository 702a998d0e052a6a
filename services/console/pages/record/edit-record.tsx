import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isQuarantine } from '../../api/errors.ts';
import type { Entity } from '../../api/metadata.ts';
import { type ReadRecord, updateRecord } from '../../api/records.ts';
import { untilWritten, useFormKey, useMarkUnread } from '../../api/write.ts';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { RecordForm } from './record-form.tsx';

/** The form of an existing record. After saving, offers to undo the change. */
export function EditRecord(props: {
  readonly entity: Entity;
  readonly found: ReadRecord;
  readonly onReload: () => void;
  readonly onDone: () => void;
}) {
  const { entity, found } = props;
  const t = useText();
  const queries = useQueryClient();
  const undo = useUndo();
  const keyOf = useFormKey();
  const markUnread = useMarkUnread();
  const place = { entity: entity.name, id: found.record.id };
  const saving = useMutation({
    mutationFn: (values: Values) =>
      untilWritten(updateRecord({ ...place, tag: found.tag, key: keyOf(values) }, values)),
    onSuccess: (written, values) => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      if (written.kind === 'unread') {
        const name = String(found.record['name'] || found.record.id);
        void markUnread({ ...place, name, token: written.token });
        notifications.show({ message: t('parts.saved') });
      } else {
        const before = Object.keys(values).map((one) => [one, found.record[one] ?? null] as const);
        void undo.afterUpdate(place, Object.fromEntries(before));
      }
      props.onDone();
    },
    onError: (error) => {
      if (isQuarantine(error)) void queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
  return (
    <RecordForm
      entity={entity}
      initial={found.record}
      isSaving={saving.isPending}
      error={saving.error}
      onSave={(values) => saving.mutate(values)}
      onCancel={props.onDone}
      onReload={() => {
        saving.reset();
        props.onReload();
      }}
    />
  );
}
