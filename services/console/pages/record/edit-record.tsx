import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isQuarantine } from '../../api/errors.ts';
import type { Entity } from '../../api/metadata.ts';
import { type ReadRecord, updateRecord } from '../../api/records.ts';
import type { Values } from '../../fields/input-parts.ts';
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
  const queries = useQueryClient();
  const undo = useUndo();
  const saving = useMutation({
    mutationFn: (values: Values) =>
      updateRecord({ entity: entity.name, id: found.record.id, tag: found.tag }, values),
    onSuccess: (_, values) => {
      void queries.invalidateQueries({ queryKey: ['records'] });
      const before = Object.keys(values).map((name) => [name, found.record[name] ?? null] as const);
      const place = { entity: entity.name, id: found.record.id };
      void undo.afterUpdate(place, Object.fromEntries(before));
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
