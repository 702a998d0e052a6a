import { ColorSwatch, Group, MultiSelect, Text } from '@mantine/core';
import { RecordOption, useOfferedRecords } from '../../fields/offered-records.tsx';
import { useText } from '../../language/language.tsx';
import { colorAt } from '../../parts/colors.ts';
import { mostUsers } from './calendar-state.ts';
import type { Person } from './use-placed-events.ts';

/** Chooses whose calendars are shown. */
export function PeoplePicker({
  people,
  onChange,
}: {
  readonly people: readonly Person[];
  readonly onChange: (ids: readonly string[]) => void;
}) {
  const t = useText();
  const chosen = people.map(({ id, name }) => ({ value: id, label: name }));
  const offer = useOfferedRecords('User', chosen, '');
  const { options } = offer;
  return (
    <MultiSelect
      {...offer.inputProps}
      label={t('calendar.people')}
      searchable
      flex="1 1 16rem"
      maw="28rem"
      maxValues={mostUsers}
      hidePickedOptions
      error={offer.error}
      nothingFoundMessage={offer.isLoaded ? t('forms.nothingFound') : undefined}
      data={[...options]}
      value={chosen.map(({ value }) => value)}
      filter={({ options: all }) => all}
      renderOption={({ option }) => <RecordOption {...option} options={options} />}
      onChange={(ids) => {
        offer.accept('');
        onChange(ids);
      }}
    />
  );
}

/** The colours of the people whose calendars are shown. */
export function PeopleLegend({ people }: { readonly people: readonly Person[] }) {
  const t = useText();
  return (
    <Group gap="sm" component="ul" m={0} p={0} aria-label={t('calendar.colors')}>
      {people.map(({ id, name }, index) => (
        <Group key={id} gap={6} component="li" wrap="nowrap">
          <Swatch index={index} />
          <Text size="sm">{name}</Text>
        </Group>
      ))}
    </Group>
  );
}

function Swatch({ index }: { readonly index: number }) {
  return (
    <ColorSwatch
      size={12}
      color={`var(--mantine-color-${colorAt(index)}-filled)`}
      aria-hidden="true"
      withShadow={false}
    />
  );
}
