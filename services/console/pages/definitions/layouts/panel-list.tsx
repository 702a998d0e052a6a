import { ActionIcon, Button, Fieldset, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { LayoutPanel } from '../../../api/layouts.ts';
import { usePanelLabel } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import {
  changePanel,
  type FieldPlace,
  insertField,
  moveField,
  unusedFields,
} from './arrange-fields.ts';
import { FieldRow, type PanelListProps } from './field-row.tsx';
import styles from './panel-list.module.css';

/** The panels of a layout. Fields are dragged, or moved by their buttons, within a panel and to other panels. */
export function PanelList(props: PanelListProps) {
  const t = usePageText();
  const { name, panels, onChange } = props;
  const [dragged, setDragged] = useState<FieldPlace>();
  const drop = (to: FieldPlace) => {
    if (dragged !== undefined) onChange(moveField(panels, dragged, to));
    setDragged(undefined);
  };
  return (
    <Stack>
      {panels.map((panel, index) => (
        <Panel
          // biome-ignore lint/suspicious/noArrayIndexKey: panels have no identity other than their position
          key={index}
          {...props}
          panel={panel}
          index={index}
          onDrag={setDragged}
          onDrop={drop}
        />
      ))}
      {name === 'detail' ? (
        <Group>
          <Button
            variant="default"
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            onClick={() =>
              onChange([...panels, { label: '', customLabel: t('layouts.newPanel'), fields: [] }])
            }
          >
            {t('layouts.addPanel')}
          </Button>
        </Group>
      ) : null}
    </Stack>
  );
}

interface PanelProps extends PanelListProps {
  readonly panel: LayoutPanel;
  readonly index: number;
  readonly onDrag: (place: FieldPlace) => void;
  readonly onDrop: (place: FieldPlace) => void;
}

function Panel(props: PanelProps) {
  const { entity, panels, panel, index, onChange, onDrop } = props;
  const t = usePageText();
  const end = { panel: index, at: panel.fields.length };
  const unused = unusedFields(panels, Object.keys(entity.fields)).map((value) => ({
    value,
    label: entity.labelOf(value),
  }));
  const rows = panel.fields.map((field, at) => (
    <FieldRow key={field.name} {...props} field={field} place={{ panel: index, at }} />
  ));
  const content = (
    <Stack gap="xs">
      <ul className={styles['fields']}>{rows}</ul>
      <Text
        size="sm"
        c="dimmed"
        className={styles['end'] ?? ''}
        onDragOver={(event) => event.preventDefault()}
        onDrop={() => onDrop(end)}
      >
        {panel.fields.length === 0 ? t('layouts.noFields') : ''}
      </Text>
      <Select
        aria-label={t('layouts.addField')}
        placeholder={t('layouts.addField')}
        searchable
        value={null}
        data={unused.toSorted((one, other) => one.label.localeCompare(other.label))}
        onChange={(added) => {
          if (added !== null) onChange(insertField(panels, end, { name: added }));
        }}
      />
    </Stack>
  );
  if (props.name === 'list') return content;
  return (
    <Fieldset legend={<PanelHead {...props} />} className={styles['panel'] ?? ''}>
      {content}
    </Fieldset>
  );
}

/** The name of a panel, and the button that removes it. The fields of a removed panel can be added again. */
function PanelHead({ panels, panel, index, onChange }: PanelProps) {
  const t = usePageText();
  const panelLabel = usePanelLabel();
  const label = panel.customLabel ?? panelLabel(panel.label);
  return (
    <Group gap="xs" wrap="nowrap">
      <TextInput
        aria-label={t('layouts.panelName')}
        value={label}
        onChange={({ currentTarget }) =>
          onChange(changePanel(panels, index, () => ({ customLabel: currentTarget.value })))
        }
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('layouts.removePanel', { name: label })}
        disabled={panels.length === 1}
        onClick={() => onChange(panels.toSpliced(index, 1))}
      >
        <IconTrash size={16} aria-hidden="true" />
      </ActionIcon>
    </Group>
  );
}
