import { Button, Checkbox, Divider, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';

const ColumnOrder = lazy(async () => ({
  default: (await import('./column-order.tsx')).ColumnOrder,
}));

/** Selects and sorts the fields that are shown as columns. */
export function ColumnMenu(props: {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
  readonly onReset: () => void;
}) {
  const t = useText();
  const { entity, columns, onChange, onReset } = props;
  const hidden = Object.keys(entity.fields)
    .filter((name) => !columns.includes(name))
    .toSorted((one, other) => entity.labelOf(one).localeCompare(entity.labelOf(other)));
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns size={16} aria-hidden="true" />}
          aria-haspopup="dialog"
          title={t('records.columns')}
        >
          {t('records.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('records.columns')}>
        <ScrollArea.Autosize mah={360} offsetScrollbars>
          <Stack gap="xs" p="xs">
            <Suspense>
              <ColumnOrder entity={entity} columns={columns} onChange={onChange} />
            </Suspense>
            <Divider />
            {hidden.map((name) => (
              <Checkbox
                key={name}
                label={entity.labelOf(name)}
                checked={false}
                onChange={() => onChange([...columns, name])}
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
        <Button variant="subtle" size="compact-sm" mt="xs" onClick={onReset}>
          {t('records.resetColumns')}
        </Button>
      </Popover.Dropdown>
    </Popover>
  );
}
