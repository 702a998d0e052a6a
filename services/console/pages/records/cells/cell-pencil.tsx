import { ActionIcon } from '@mantine/core';
import { IconPencil } from '@tabler/icons-react';
import type { Entity } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { useEditAccess, useInputsOf } from '../../record/facts/edit-access.ts';
import styles from './cells.module.css';

/** Marks the buttons whose clicks the table handles. */
export const pencilAttribute = 'data-pencil';

/** The button that opens the editor of a cell. Shows nothing if the user may not edit the field of the record. */
export function CellPencil(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly name: string;
}) {
  const t = useText();
  const { entity, record, name } = props;
  const { isOffered, denial } = useEditAccess(entity, record);
  const inputs = useInputsOf(entity, name);
  if (!isOffered || denial !== undefined || inputs.length === 0) return null;
  return (
    <ActionIcon
      {...{ [pencilAttribute]: record.id }}
      variant="default"
      size={24}
      className={styles['pencil'] ?? ''}
      aria-haspopup="dialog"
      aria-label={t('record.change', { field: entity.labelOf(name) })}
    >
      <IconPencil size={16} aria-hidden="true" />
    </ActionIcon>
  );
}
