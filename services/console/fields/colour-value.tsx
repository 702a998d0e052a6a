import { ColorSwatch, Group } from '@mantine/core';
import type { ValueProps } from './simple-values.tsx';

const colour = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;

/** A colour such as `#ff8800`, with a sample if it is valid. */
export function ColourValue({ record, name }: ValueProps) {
  const value = record[name];
  if (typeof value !== 'string') return null;
  if (!colour.test(value)) return value;
  return (
    <Group component="span" gap={6} display="inline-flex">
      <ColorSwatch component="span" color={value} size={14} aria-hidden="true" />
      {value}
    </Group>
  );
}
