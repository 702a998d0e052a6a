import { Group, NativeSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { api, bodyOf } from '../api/client.ts';
import { useText } from '../language/language.tsx';
import { asText, common, type InputProps } from './input-parts.ts';

/** An amount, and a currency that has an exchange rate. */
export function MoneyInput(props: InputProps) {
  const t = useText();
  const { name, values, onChange, label } = props;
  const currencies = useCurrencies();
  const currencyName = `${name}Currency`;
  const chosen = asText({ values, name: currencyName });
  const value = values[name];
  return (
    <Group align="flex-start" wrap="nowrap" gap="xs">
      <NumberInput
        {...common(props)}
        flex={1}
        value={typeof value === 'number' ? value : ''}
        onChange={(entered) => onChange({ [name]: entered === '' ? null : entered })}
      />
      <NativeSelect
        label={t('record.currency', { label })}
        data={[...new Set([chosen || (currencies[0] ?? ''), ...currencies])]}
        value={chosen || (currencies[0] ?? '')}
        onChange={({ currentTarget }) => onChange({ [currencyName]: currentTarget.value })}
        w={140}
      />
    </Group>
  );
}

function useCurrencies(): readonly string[] {
  const { data } = useQuery({
    queryKey: ['settings'],
    queryFn: async () => Object(await bodyOf(api.GET('/Settings'))),
    staleTime: 60_000,
  });
  return data?.currencyList ?? [];
}
