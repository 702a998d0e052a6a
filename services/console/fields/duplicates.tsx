import { Alert, Button, Stack } from '@mantine/core';
import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { useText } from '../language/language.tsx';
import { CompareTable } from './compare-table.tsx';
import { attributesOf } from './field-types.ts';
import type { Values } from './input-parts.ts';
import { RecordLink } from './record-link.tsx';

/** Compares the input for a new record with its possible duplicates. */
export function Duplicates(props: {
  readonly entity: Entity;
  readonly entered: Values;
  readonly found: readonly AnyRecord[];
  readonly onSaveAnyway: () => void;
}) {
  const t = useText();
  const { entity, entered, found } = props;
  const own = { ...entered, id: '', name: nameOf(entered) };
  const names = Object.keys(entity.fields).filter((name) =>
    [own, ...found].some((record) => isGiven(entity, name, record)),
  );
  return (
    <Alert variant="outline" color="yellow" title={t('forms.duplicates')} role="alert">
      <Stack gap="xs" align="flex-start">
        <CompareTable
          label={t('forms.duplicates')}
          entity={entity}
          names={names.filter((name) => isGiven(entity, name, own) || name === 'createdAt')}
          compared={[
            { record: own, label: t('forms.entered'), title: t('forms.entered') },
            ...found.map((record) => ({
              record,
              label: String(record['name'] ?? record.id),
              title: <RecordLink entity={entity.name} id={record.id} name={record['name']} />,
            })),
          ]}
        />
        <Button size="xs" variant="default" onClick={props.onSaveAnyway}>
          {t('forms.createAnyway')}
        </Button>
      </Stack>
    </Alert>
  );
}

/** The name of a person, which the server normally composes from its parts. */
export function nameOf(entered: Values): unknown {
  const parts = [entered['firstName'], entered['middleName'], entered['lastName']];
  return entered['name'] ?? parts.filter(Boolean).join(' ');
}

function isGiven(entity: Entity, name: string, record: AnyRecord): boolean {
  return attributesOf(entity, name).some((attribute) => Boolean(record[attribute]));
}
