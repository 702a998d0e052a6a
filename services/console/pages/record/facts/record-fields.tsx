import { Button, Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Entity, usePanelLabel } from '../../../api/metadata.ts';
import { usePreference } from '../../../api/preferences.ts';
import { type AnyRecord, panelsQuery } from '../../../api/records.ts';
import { isEmptyIn } from '../../../fields/field-types.ts';
import type { Panel } from '../../../fields/panel-inputs.tsx';
import { useText } from '../../../language/language.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { type EditedRecord, Fact } from './fact.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
  /** Absent if fields are only shown. */
  readonly edited?: EditedRecord | undefined;
}

/** The panels of a record's page with its own values. Hides empty fields unless the user shows them. */
export function RecordFields(props: Props) {
  const t = useText();
  const { entity, record } = props;
  const panels = useQuery(panelsQuery(entity.name));
  const [areEmptyShown, showEmpty] = useEmptyFields();
  // A fact stays where it is after its value was removed.
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  if (panels.data === undefined) return <Pending query={panels} height={240} />;
  const main = panels.data.filter((panel) => !isAside(panel));
  const names = main.flatMap((panel) => panel.names).filter((name) => name in entity.fields);
  const empty = new Set(
    names.filter((name) => !touched.has(name) && isEmptyIn(entity, name, record)),
  );
  const isShown = (name: string): boolean => areEmptyShown || !empty.has(name);
  return (
    <Stack>
      {main.map((panel) => (
        <FactPanel
          key={panel.label}
          {...props}
          panel={{ ...panel, names: panel.names.filter(isShown) }}
          columns={2}
          onEdit={(name) => setTouched((before) => new Set([...before, name]))}
        />
      ))}
      {empty.size === 0 ? null : (
        <Group>
          <Button variant="subtle" size="compact-sm" onClick={() => showEmpty(!areEmptyShown)}>
            {t(areEmptyShown ? 'record.hideEmpty' : 'record.showEmpty', { count: empty.size })}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** The other panels of a record's page: those with nothing but its owners, teams, and authors. */
export function SideFields(props: Props & { readonly columns: 1 | 2 }) {
  const { data = [] } = useQuery(panelsQuery(props.entity.name));
  return data.filter(isAside).map((panel) => (
    <FactPanel
      key={panel.label}
      {...props}
      panel={{
        ...panel,
        names: [...asideFields].filter(
          (name) =>
            panel.names.includes(name) && (props.record['modifiedById'] || !isModifier(name)),
        ),
      }}
      onEdit={() => {}}
    />
  ));
}

/** In the order in which they are shown. */
const asideFields: ReadonlySet<string> = new Set([
  'assignedUser',
  'assignedUsers',
  'teams',
  'collaborators',
  'createdAt',
  'createdBy',
  'modifiedAt',
  'modifiedBy',
]);

/** Returns whether a field is empty, or repeats the creation, in a record that has never been changed. */
function isModifier(name: string): boolean {
  return name === 'modifiedAt' || name === 'modifiedBy';
}

function isAside({ names }: Panel): boolean {
  return names.length > 0 && names.every((name) => asideFields.has(name));
}

/** Returns whether empty fields are shown, and a function that changes it on all devices of the user. */
function useEmptyFields(): readonly [boolean, (areShown: boolean) => void] {
  const t = useText();
  const [stored, store] = usePreference('annals-empty-fields', () =>
    notifications.show({
      id: 'empty-not-stored',
      color: 'yellow',
      message: t('record.emptyNotStored'),
    }),
  );
  return [stored === true, (areShown) => store(areShown ? true : null)];
}

function FactPanel(
  props: Props & {
    readonly panel: Panel;
    readonly columns: 1 | 2;
    readonly onEdit: (name: string) => void;
  },
) {
  const { entity, record, edited, panel, columns, onEdit } = props;
  const panelLabel = usePanelLabel();
  const { label, names, wide } = panel;
  if (names.length === 0) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={panelLabel(label)}>
      <Title mb="sm">{panelLabel(label)}</Title>
      <SimpleGrid
        type="container"
        component="dl"
        cols={columns === 1 ? 1 : { base: 1, '30rem': 2 }}
        spacing="lg"
        verticalSpacing="sm"
        m={0}
      >
        {names.map((name) => (
          <Fact
            key={name}
            entity={entity}
            record={record}
            name={name}
            isWide={wide?.includes(name) === true}
            edited={edited}
            onEdit={() => onEdit(name)}
          />
        ))}
      </SimpleGrid>
    </Paper>
  );
}
