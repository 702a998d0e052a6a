import { Text } from '@mantine/core';
import { useText } from '../language/language.tsx';

/** Shows the value of an attribute of any type as text. */
export function AnyValue({ value }: { readonly value: unknown }) {
  const t = useText();
  if (value === null || value === undefined || value === '') {
    return (
      <Text span size="sm" c="dimmed">
        –
      </Text>
    );
  }
  const isFlag = typeof value === 'boolean';
  const text = isFlag
    ? t(value ? 'parts.yes' : 'parts.no')
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);
  return (
    <Text span size="sm" className="field-value" lineClamp={8}>
      {text}
    </Text>
  );
}
