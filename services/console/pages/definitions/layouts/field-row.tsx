import { ActionIcon, Checkbox, Text } from '@mantine/core';
import { IconArrowDown, IconArrowUp, IconGripVertical, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { LayoutField, LayoutName, LayoutPanel } from '../../../api/layouts.ts';
import type { Entity } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import {
  changeField,
  type FieldPlace,
  moveField,
  neighbour,
  removeField,
} from './arrange-fields.ts';
import styles from './panel-list.module.css';

export interface PanelListProps {
  readonly entity: Entity;
  readonly name: LayoutName;
  readonly panels: readonly LayoutPanel[];
  readonly onChange: (panels: readonly LayoutPanel[]) => void;
}

interface Props extends PanelListProps {
  readonly field: LayoutField;
  readonly place: FieldPlace;
  readonly onDrag: (place: FieldPlace) => void;
  readonly onDrop: (place: FieldPlace) => void;
}

/** A field of a layout. A dragged field that is dropped on it takes its place. */
export function FieldRow(props: Props) {
  const t = usePageText();
  const { entity, name, panels, field, place, onChange, onDrag, onDrop } = props;
  const [isOver, setOver] = useState(false);
  const label = entity.labelOf(field.name);
  return (
    <li
      className={styles['field']}
      draggable
      data-over={isOver || undefined}
      onDragStart={({ dataTransfer }) => {
        // Firefox does not start a drag without data.
        dataTransfer.setData('text/plain', label);
        onDrag(place);
      }}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={() => {
        setOver(false);
        onDrop(place);
      }}
    >
      <IconGripVertical size={16} aria-hidden="true" />
      <Text size="sm" className={styles['name'] ?? ''}>
        {label}
      </Text>
      {name === 'detail' ? (
        <Checkbox
          size="xs"
          label={t('layouts.fullWidth')}
          aria-label={t('layouts.fullWidthOf', { name: label })}
          checked={field.fullWidth === true}
          onChange={({ currentTarget }) => {
            const { fullWidth: _, ...half } = field;
            const next = currentTarget.checked ? { ...field, fullWidth: true } : half;
            onChange(changeField(panels, place, next));
          }}
        />
      ) : null}
      <MoveButton {...props} direction="up" label={t('layouts.up', { name: label })} />
      <MoveButton {...props} direction="down" label={t('layouts.down', { name: label })} />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={t('layouts.remove', { name: label })}
        onClick={() => onChange(removeField(panels, place))}
      >
        <IconX size={16} aria-hidden="true" />
      </ActionIcon>
    </li>
  );
}

function MoveButton(props: Props & { readonly direction: 'up' | 'down'; readonly label: string }) {
  const { panels, place, direction, label, onChange } = props;
  const to = neighbour(panels, place, direction);
  const Icon = direction === 'up' ? IconArrowUp : IconArrowDown;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to && onChange(moveField(panels, place, to))}
    >
      <Icon size={16} aria-hidden="true" />
    </ActionIcon>
  );
}
