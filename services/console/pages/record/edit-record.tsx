import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { isConflict, isQuarantine } from '../../api/errors.ts';
import type { Entity } from '../../api/metadata.ts';
import { type ReadRecord, updateRecord } from '../../api/records.ts';
import { untilWritten, useFormKey, useMarkUnread } from '../../api/write.ts';
import type { Values } from '../../fields/input-parts.ts';
import { useText } from '../../language/language.tsx';
import { useUndo } from '../../undo/use-undo.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { RecordForm } from './record-form.tsx';

/**
 * The form of an existing record. After saving, offers to undo the change. If the record has changed in the meantime,
 * offers to merge both changes.
 */
export function EditRecord(props: {
  readonly entity: Entity;
  readonly found: ReadRecord;
  readonly onDone: () => void;
}) {
  const { entity } = props;
  // The version that the user edits, although the page loads later ones.
  const [base] = useState(props.found);
  const [changed, setChanged] = useState<Values>({});
  const [isComparing, setComparing] = useState(false);
  const saving = useSaving({
    ...props,
    onConflict: () => setComparing(true),
  });
  return (
    <>
      <RecordForm
        entity={entity}
        initial={base.record}
        isSaving={saving.isPending}
        error={saving.error}
        onSave={(values) => {
          setChanged(values);
          saving.mutate({ values, version: base });
        }}
        onCancel={props.onDone}
        onCompare={() => setComparing(true)}
      />
      {isComparing ? (
        <ConflictDialog
          entity={entity}
          base={base}
          changed={changed}
          isSaving={saving.isPending}
          error={saving.error}
          onSave={(values, version) => saving.mutate({ values, version })}
          onClose={() => setComparing(false)}
        />
      ) : null}
    </>
  );
}

interface Change {
  readonly values: Values;
  /** The version that the values change. */
  readonly version: ReadRecord;
}

function useSaving(props: {
  readonly entity: Entity;
  readonly onDone: () => void;
  readonly onConflict: () => void;
}) {
  const t = useText();
  const queries = useQueryClient();
  const undo = useUndo();
  const keyOf = useFormKey();
  const markUnread = useMarkUnread();
  const { entity, onDone, onConflict } = props;
  return useMutation({
    mutationFn: ({ values, version: { record, tag } }: Change) =>
      untilWritten(
        updateRecord({ entity: entity.name, id: record.id, tag, key: keyOf(values) }, values),
      ),
    onSuccess: (written, { values, version: { record } }) => {
      const place = { entity: entity.name, id: record.id };
      void queries.invalidateQueries({ queryKey: ['records'] });
      if (written.kind === 'unread') {
        const name = String(record['name'] || record.id);
        void markUnread({ ...place, name, token: written.token });
        notifications.show({ message: t('parts.saved') });
      } else {
        const before = Object.keys(values).map((one) => [one, record[one] ?? null] as const);
        void undo.afterUpdate(place, Object.fromEntries(before));
      }
      onDone();
    },
    onError: (error) => {
      if (isConflict(error)) {
        void queries.invalidateQueries({ queryKey: ['records', entity.name, 'later'] });
        onConflict();
      }
      if (isQuarantine(error)) void queries.invalidateQueries({ queryKey: ['records'] });
    },
  });
}
