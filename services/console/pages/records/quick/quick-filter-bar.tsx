import { Button, Group } from '@mantine/core';
import type { Entity } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { labelOfFilter, quickFiltersOf, withToggled } from './quick-filters.ts';

/** Turns the named filters of a list on and off with one click. */
export function QuickFilterBar(props: {
  readonly entity: Entity;
  readonly active: readonly string[];
  readonly onChange: (active: readonly string[]) => void;
}) {
  const t = useText();
  const { entity, active, onChange } = props;
  return (
    <Group gap={6} className="one-line" role="group" aria-label={t('records.quickFilters')}>
      {quickFiltersOf(entity).map((filter) => {
        const isActive = active.includes(filter);
        return (
          <Button
            key={filter}
            size="compact-sm"
            fz="xs"
            px="xs"
            radius="xl"
            variant={isActive ? 'filled' : 'default'}
            aria-pressed={isActive}
            onClick={() => onChange(withToggled(active, filter))}
          >
            {t(labelOfFilter(entity.name, filter))}
          </Button>
        );
      })}
    </Group>
  );
}
