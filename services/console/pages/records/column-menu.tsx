import { Button, Checkbox, Popover, ScrollArea, Stack } from '@mantine/core';
import { IconColumns } from '@tabler/icons-react';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';

/** Selects the fields that are shown as columns. */
export function ColumnMenu(props: {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly onChange: (columns: readonly string[]) => void;
}) {
  const t = useText();
  const { entity, columns, onChange } = props;
  const names = Object.keys(entity.fields).toSorted((one, other) =>
    entity.labelOf(one).localeCompare(entity.labelOf(other)),
  );
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          variant="default"
          leftSection={<IconColumns size={16} aria-hidden="true" />}
          aria-haspopup="dialog"
        >
          {t('records.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs" aria-label={t('records.columns')}>
        <ScrollArea.Autosize mah={360} offsetScrollbars>
          <Stack gap="xs" p="xs">
            {names.map((name) => (
              <Checkbox
                key={name}
                label={entity.labelOf(name)}
                checked={columns.includes(name)}
                // The last column cannot be removed.
                disabled={columns.length === 1 && columns.includes(name)}
                onChange={({ currentTarget }) =>
                  onChange(
                    currentTarget.checked
                      ? [...columns, name]
                      : columns.filter((one) => one !== name),
                  )
                }
              />
            ))}
          </Stack>
        </ScrollArea.Autosize>
      </Popover.Dropdown>
    </Popover>
  );
}
