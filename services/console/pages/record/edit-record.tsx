import { useState } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { ReadRecord } from '../../api/records.ts';
import type { Values } from '../../fields/input-parts.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import { RecordForm } from './record-form.tsx';
import { useSaving } from './use-saving.tsx';

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
    entity,
    id: base.record.id,
    onDone: props.onDone,
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
