import { Box, Group, Input, Loader, MultiSelect, NativeSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useMetadata, useTypeLabel } from '../api/metadata.ts';
import { listQuery } from '../api/records.ts';
import { useText } from '../language/language.tsx';
import { asText, common, type InputProps, linkedOf } from './input-parts.ts';

interface Option {
  readonly value: string;
  readonly label: string;
}

const waitMs = 250;
const shownOptions = 20;

/** Returns the records that match the typed text, and the records already chosen. */
function useOptions(entity: string, typed: string, chosen: readonly Option[]) {
  const [settled] = useDebouncedValue(typed, waitMs);
  const isChosen = chosen.some(({ label }) => label === settled);
  const { data, isFetching } = useQuery({
    ...listQuery(
      {
        entity,
        select: ['name'],
        orderBy: 'name',
        order: 'asc',
        textFilter: isChosen ? '' : settled.trim(),
        where: [],
      },
      0,
    ),
    placeholderData: keepPreviousData,
    enabled: entity !== '',
  });
  const found = (data?.list ?? [])
    .slice(0, shownOptions)
    .map(({ id, name }) => ({ value: id, label: typeof name === 'string' && name ? name : id }));
  const others = chosen.filter(({ value }) => !found.some((one) => one.value === value));
  return { options: [...others, ...found], isFetching };
}

const keepAll = ({ options }: { readonly options: unknown }) => options as never;

export function LinkInput(props: InputProps) {
  const { entity, name, values, onChange } = props;
  const target = entity.links[name]?.entity ?? '';
  return (
    <RecordSelect
      {...common(props)}
      entity={target}
      value={asText({ values, name: `${name}Id` })}
      shown={asText({ values, name: `${name}Name` })}
      onPick={(id, label) => onChange({ [`${name}Id`]: id, [`${name}Name`]: label })}
    />
  );
}

/** An input that searches for one record. */
export function RecordSelect({
  entity,
  value,
  shown,
  onPick,
  isLabelHidden = false,
  label,
  ...input
}: {
  readonly entity: string;
  readonly value: string;
  readonly shown: string;
  readonly label: string;
  /** True if the input has a visible label next to it. */
  readonly isLabelHidden?: boolean;
  readonly error?: string | undefined;
  readonly description?: string;
  readonly required?: boolean;
  readonly onPick: (id: string | null, label: string | null) => void;
}) {
  const t = useText();
  const [typed, setTyped] = useState(shown);
  const chosen = value === '' ? [] : [{ value, label: shown || value }];
  const { options, isFetching } = useOptions(entity, typed, chosen);
  return (
    <Select
      {...input}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      searchable
      clearable={input.required !== true}
      clearButtonProps={{ 'aria-label': `${label}: ${t('forms.noValue')}` }}
      placeholder={t('forms.pick')}
      nothingFoundMessage={t('forms.nothingFound')}
      data={options}
      value={value === '' ? null : value}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={keepAll}
      rightSection={isFetching ? <Loader size={14} /> : undefined}
      onChange={(id) => onPick(id, options.find((one) => one.value === id)?.label ?? null)}
    />
  );
}

export function LinksInput(props: InputProps) {
  const t = useText();
  const { entity, name, values, onChange } = props;
  const target = entity.links[name]?.entity ?? '';
  const [typed, setTyped] = useState('');
  const chosen = linkedOf(values, name).map(({ id, name: label }) => ({ value: id, label }));
  const { options } = useOptions(target, typed, chosen);
  return (
    <MultiSelect
      {...common(props)}
      searchable
      placeholder={chosen.length === 0 ? t('forms.pick') : undefined}
      nothingFoundMessage={t('forms.nothingFound')}
      data={options}
      value={chosen.map(({ value }) => value)}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={keepAll}
      onChange={(picked) =>
        onChange({
          [`${name}Ids`]: picked,
          [`${name}Names`]: Object.fromEntries(
            picked.map((id) => [id, options.find((one) => one.value === id)?.label ?? id]),
          ),
        })
      }
    />
  );
}

/** An input for a record of one of several entity types. */
export function ParentInput(props: InputProps) {
  const t = useText();
  const metadata = useMetadata();
  const typeLabel = useTypeLabel();
  const { name, label, field, values, onChange, error } = props;
  const types = (field.entityList ?? []).filter((type) => metadata.has(type));
  const stored = asText({ values, name: `${name}Type` });
  // A record cannot store a type without a record of that type.
  const [chosen, choose] = useState(stored);
  const type = chosen || stored || (types[0] ?? '');
  const empty = { [`${name}Type`]: null, [`${name}Id`]: null, [`${name}Name`]: null };
  return (
    <Input.Wrapper label={label} error={error} withAsterisk={field.required === true}>
      <Group align="flex-start" wrap="nowrap" gap="xs">
        <NativeSelect
          w={150}
          aria-label={t('forms.parentType', { label })}
          data={types.map((one) => ({ value: one, label: typeLabel(one) }))}
          value={type}
          onChange={({ currentTarget }) => {
            choose(currentTarget.value);
            if (stored !== '') onChange(empty);
          }}
        />
        <Box flex={1}>
          <RecordSelect
            key={type}
            label={label}
            isLabelHidden
            entity={type}
            value={stored === type ? asText({ values, name: `${name}Id` }) : ''}
            shown={stored === type ? asText({ values, name: `${name}Name` }) : ''}
            onPick={(id, shown) =>
              onChange(
                id === null
                  ? empty
                  : { [`${name}Type`]: type, [`${name}Id`]: id, [`${name}Name`]: shown },
              )
            }
          />
        </Box>
      </Group>
    </Input.Wrapper>
  );
}
