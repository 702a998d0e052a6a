import { Fieldset, SimpleGrid, Text, TextInput } from '@mantine/core';
import { useText } from '../language/language.tsx';
import { asText, type InputProps } from './input-parts.ts';

const parts = [
  ['Street', 'record.street'],
  ['PostalCode', 'record.postalCode'],
  ['City', 'record.city'],
  ['State', 'record.state'],
  ['Country', 'record.country'],
] as const;

export function AddressInput({ name, label, values, error, onChange }: InputProps) {
  const t = useText();
  return (
    <Fieldset legend={label}>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="xs" verticalSpacing="xs">
        {parts.map(([part, text]) => (
          <TextInput
            key={part}
            label={t(text)}
            value={asText({ values, name: `${name}${part}` })}
            onChange={({ currentTarget }) => onChange({ [`${name}${part}`]: currentTarget.value })}
          />
        ))}
      </SimpleGrid>
      {error === undefined ? null : (
        <Text size="sm" c="var(--mantine-color-error)" mt="xs">
          {error}
        </Text>
      )}
    </Fieldset>
  );
}
