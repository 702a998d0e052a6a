import { Button, Group, Text } from '@mantine/core';
import { startMassAction } from '../../../api/mass-actions.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { ListSearch } from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { useText } from '../../../language/language.tsx';
import { ConfirmByName } from '../../../parts/confirm-by-name.tsx';
import { ChangeManyButton } from './change-many.tsx';
import { MergeButton } from './merge-button.tsx';
import { chosenOf, countOf, emptySelection, type Selection } from './selection.ts';
import styles from './selection-bar.module.css';

export interface ManyProps {
  readonly entity: Entity;
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Receives the id of a started mass action. */
  readonly onStart: (id: string) => void;
}

/**
 * The number of results, or else the number of selected records with the actions that the user may perform on them. Its
 * height never changes, so that selecting a row does not move the table.
 */
export function SelectionBar(props: ManyProps & { readonly total: number }) {
  const t = useText();
  const { selection, total } = props;
  const count = countOf(selection, total);
  const isAll = selection.kind === 'everything' && count === total;
  const text = count === 0 ? 'records.total' : isAll ? 'many.everything' : 'many.selected';
  return (
    <Group gap="xs" wrap="nowrap" className={styles['bar']}>
      <Text size="sm" fw={count === 0 ? 400 : 600} role="status">
        {t(text, { count: count === 0 ? total : count })}
      </Text>
      {count === 0 ? <NewestFirst {...props} /> : <Actions {...props} count={count} />}
    </Group>
  );
}

/** Explains the order of a list that is sorted by its creation, usually without a column for it. */
function NewestFirst({ search: { orderBy, order } }: ManyProps) {
  const t = useText();
  if (orderBy !== 'createdAt' || order !== 'desc') return null;
  return (
    <Text size="sm" c="dimmed" className={styles['order'] ?? ''}>
      {t('records.newestFirst')}
    </Text>
  );
}

function Actions(props: ManyProps & { readonly count: number }) {
  const t = useText();
  const { entity, selection, onSelect } = props;
  const rights = useRights(entity.name);
  const isBySearch = selection.kind === 'everything';
  return (
    <Group gap="xs" wrap="nowrap" ms="auto" role="group" aria-label={t('many.bar')}>
      {rights.massUpdate && rights.may('edit') ? <ChangeManyButton {...props} /> : null}
      <MergeButton entity={entity} selection={selection} />
      {rights.may('delete') && (rights.massUpdate || !isBySearch) ? (
        <DeleteManyButton {...props} />
      ) : null}
      <Button size="compact-sm" variant="subtle" onClick={() => onSelect(emptySelection)}>
        {t('many.clear')}
      </Button>
    </Group>
  );
}

/** Requires the user to type the number of records, to prevent accidental mass deletions. */
function DeleteManyButton(props: ManyProps & { readonly count: number }) {
  const t = useText();
  const { entity, search, selection, count } = props;
  return (
    <ConfirmByName
      size="compact-sm"
      label={t('many.delete')}
      title={t('many.deleteTitle', { count })}
      text={t('many.deleteText')}
      name={`${count}`}
      act={async () =>
        startMassAction({
          entity: entity.name,
          action: 'delete',
          chosen: chosenOf(selection, search),
        })
      }
      onDone={props.onStart}
    />
  );
}
