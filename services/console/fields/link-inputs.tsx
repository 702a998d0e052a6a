import { Box, Group, Input, Loader, MultiSelect, NativeSelect, Select } from '@mantine/core';
import { useState } from 'react';
import { useMetadata, useTypeLabel } from '../api/metadata.ts';
import { useText } from '../language/language.tsx';
import { asText, common, type InputProps, linkedOf } from './input-parts.ts';
import { RecordOption, useOfferedRecords } from './offered-records.tsx';

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
  error,
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
  const chosen = value === '' ? [] : [{ value, label: shown || value }];
  const offer = useOfferedRecords(entity, chosen, shown);
  const { options } = offer;
  return (
    <Select
      {...input}
      {...(isLabelHidden ? { 'aria-label': label } : { label })}
      {...offer.inputProps}
      searchable
      allowDeselect={false}
      clearable={input.required !== true}
      clearButtonProps={{ 'aria-label': `${label}: ${t('forms.noValue')}` }}
      error={error ?? offer.error}
      placeholder={t('forms.pick')}
      nothingFoundMessage={offer.isLoaded ? t('forms.nothingFound') : undefined}
      data={[...options]}
      value={value === '' ? null : value}
      filter={keepAll}
      renderOption={({ option }) => <RecordOption {...option} options={options} />}
      rightSection={offer.isFetching ? <Loader size={14} /> : undefined}
      onOptionSubmit={(id) => {
        // The name of the chosen record replaces the text, although the value does not change.
        if (id === value) offer.inputProps.onSearchChange(shown || id);
      }}
      onChange={(id) => {
        const picked = options.find((one) => one.value === id)?.label ?? null;
        offer.accept(picked ?? '');
        onPick(id, picked);
      }}
    />
  );
}

export function LinksInput(props: InputProps) {
  const t = useText();
  const { entity, name, values, onChange } = props;
  const target = entity.links[name]?.entity ?? '';
  const chosen = linkedOf(values, name).map(({ id, name: label }) => ({ value: id, label }));
  const offer = useOfferedRecords(target, chosen, '');
  const { options } = offer;
  const shared = common(props);
  return (
    <MultiSelect
      {...shared}
      {...offer.inputProps}
      searchable
      hidePickedOptions
      error={shared.error ?? offer.error}
      placeholder={chosen.length === 0 ? t('forms.pick') : undefined}
      nothingFoundMessage={offer.isLoaded ? t('forms.nothingFound') : undefined}
      data={[...options]}
      value={chosen.map(({ value }) => value)}
      filter={keepAll}
      renderOption={({ option }) => <RecordOption {...option} options={options} />}
      onChange={(picked) => {
        offer.accept('');
        onChange({
          [`${name}Ids`]: picked,
          [`${name}Names`]: Object.fromEntries(
            picked.map((id) => [id, options.find((one) => one.value === id)?.label ?? id]),
          ),
        });
      }}
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
      {/* Below each other where there is little room. */}
      <Group align="flex-start" gap="xs">
        <NativeSelect
          flex="1 1 9rem"
          aria-label={t('forms.parentType', { label })}
          data={types.map((one) => ({ value: one, label: typeLabel(one) }))}
          value={type}
          onChange={({ currentTarget }) => {
            choose(currentTarget.value);
            if (stored !== '') onChange(empty);
          }}
        />
        <Box flex="3 1 13rem">
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
