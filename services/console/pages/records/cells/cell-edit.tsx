import { Popover, Skeleton, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import { type ReadRecord, recordQuery, updateLists } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { type EditAccess, useEditAccess, useInputsOf } from '../../record/facts/edit-access.ts';
import styles from './cells.module.css';
import type { Edit } from './use-cells.ts';

const FactEditor = lazy(async () => ({
  default: (await import('../../record/facts/fact-editor.tsx')).FactEditor,
}));

interface Props extends Edit {
  readonly entity: Entity;
  readonly onDone: () => void;
}

/** The editor of a cell. It stays open when the row is no longer rendered, because it may contain unsaved input. */
export function CellEdit(props: Props) {
  const t = useText();
  const { entity, id, name, cell, box, onDone } = props;
  // The cached record may be older than the list.
  const found = useQuery({ ...recordQuery(entity.name, id), staleTime: 0 });
  const [openedAt] = useState(Date.now);
  const loaded = found.dataUpdatedAt >= openedAt ? found.data : undefined;
  // The record may have another owner than in the list. Later changes do not close the editor.
  const access = useEditAccess(entity, loaded?.record ?? { id });
  const decided = useRef<EditAccess>(undefined);
  if (loaded !== undefined) decided.current ??= access;
  const denial = decided.current?.denial;
  const isEditing = loaded !== undefined && denial === undefined;
  useFocusAfterwards(cell);
  const label = t('record.change', { field: entity.labelOf(name) });
  return (
    <Popover
      opened
      position="bottom-start"
      offset={4}
      width={360}
      shadow="md"
      // Below the dialog that compares conflicting changes.
      zIndex={150}
      withRoles={false}
      trapFocus
      hideDetached={false}
      // The editor itself saves or discards its input.
      closeOnClickOutside={!isEditing}
      closeOnEscape={!isEditing}
      onDismiss={onDone}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <div className={styles['anchor'] ?? ''} style={box} />
      </Popover.Target>
      <Popover.Dropdown
        role="dialog"
        aria-label={label}
        // Receives the focus while the record is loading.
        tabIndex={-1}
        className={styles['editor'] ?? ''}
      >
        {isEditing ? <LoadedEditor {...props} found={loaded} /> : null}
        {denial === undefined ? null : <Text size="sm">{denial}</Text>}
        {loaded === undefined ? <Pending query={found} height={96} /> : null}
      </Popover.Dropdown>
    </Popover>
  );
}

function LoadedEditor({ found, ...props }: Props & { readonly found: ReadRecord }) {
  const { entity, id, name, onDone } = props;
  const queries = useQueryClient();
  const inputs = useInputsOf(entity, name);
  return (
    <Suspense fallback={<Skeleton h={96} />}>
      <FactEditor
        entity={entity}
        found={found}
        names={inputs}
        label={entity.labelOf(name)}
        onDone={() => {
          const saved = queries.getQueryData(recordQuery(entity.name, id).queryKey);
          if (saved !== undefined) updateLists(queries, entity.name, saved);
          onDone();
        }}
      />
    </Suspense>
  );
}

/** Moves the focus to the cell after the editor was closed from within. */
function useFocusAfterwards(cell: HTMLElement): void {
  useEffect(
    () => () => {
      // Elsewhere if the user has moved on.
      if (document.activeElement === document.body) cell.focus({ preventScroll: true });
    },
    [cell],
  );
}
