import { Button, Group, Paper, Text } from '@mantine/core';
import { startMassAction } from '../../../api/mass-actions.ts';
import type { Entity } from '../../../api/metadata.ts';
import type { ListSearch } from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { useText } from '../../../language/language.tsx';
import { ConfirmByName } from '../../../parts/confirm-by-name.tsx';
import { ChangeManyButton } from './change-many.tsx';
import { MergeButton } from './merge-button.tsx';
import { chosenOf, countOf, emptySelection, type Selection } from './selection.ts';

export interface ManyProps {
  readonly entity: Entity;
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly onSelect: (selection: Selection) => void;
  /** Receives the id of a started mass action. */
  readonly onStart: (id: string) => void;
}

/** The actions for the selected records that the user may perform. */
export function SelectionBar(props: ManyProps & { readonly total: number }) {
  const t = useText();
  const { entity, selection, total, onSelect } = props;
  const rights = useRights(entity.name);
  const count = countOf(selection, total);
  if (count === 0) return null;
  const isBySearch = selection === 'everything';
  return (
    <Paper withBorder p="xs" component="section" aria-label={t('many.bar')}>
      <Group gap="xs">
        <Text size="sm" fw={600} role="status" me="auto">
          {t(isBySearch ? 'many.everything' : 'many.selected', { count })}
        </Text>
        {rights.massUpdate && rights.may('edit') ? (
          <ChangeManyButton {...props} count={count} />
        ) : null}
        <MergeButton entity={entity} selection={selection} />
        {rights.may('delete') && (rights.massUpdate || !isBySearch) ? (
          <DeleteManyButton {...props} count={count} />
        ) : null}
        <Button size="compact-sm" variant="subtle" onClick={() => onSelect(emptySelection)}>
          {t('many.clear')}
        </Button>
      </Group>
    </Paper>
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
