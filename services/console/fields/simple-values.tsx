import { Anchor, ColorSwatch, Group, Text } from '@mantine/core';
import type { Entity } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { useFormat, useLocale } from '../language/format.ts';
import { useText } from '../language/language.tsx';
import { Ago, Time } from '../parts/time.tsx';
import { RecordAvatar } from './avatar.tsx';
import { useBaseCurrency } from './currencies.ts';
import { isPercentage } from './field-types.ts';
import { linkedOf } from './input-parts.ts';
import { RecordLink } from './record-link.tsx';
import { StatusBadge } from './status-badge.tsx';

export interface ValueProps {
  readonly record: AnyRecord;
  readonly name: string;
  readonly entity: Entity;
}

export function TextValue({ record, name }: ValueProps) {
  const value = record[name];
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function OptionValue({ record, name, entity }: ValueProps) {
  const value = record[name];
  if (!isText(value)) return null;
  if (name !== entity.scope.statusField) return entity.optionOf(name, value);
  return <StatusBadge entity={entity} field={name} option={value} />;
}

export function DurationValue({ record, name }: ValueProps) {
  const format = useFormat();
  const value = record[name];
  return typeof value === 'number' ? format.duration(value) : null;
}

export function FlagValue({ record, name }: ValueProps) {
  const t = useText();
  return t(record[name] === true ? 'parts.yes' : 'parts.no');
}

export function ListValue({ record, name, entity }: ValueProps) {
  const values = record[name];
  if (!Array.isArray(values)) return null;
  return values.map((value) => entity.optionOf(name, String(value))).join(', ');
}

export function DayValue({ record, name }: ValueProps) {
  const format = useFormat();
  const value = record[name];
  return isText(value) ? format.day(value) : null;
}

/** Times that the server sets are shown as ages. Other times are appointments. */
export function TimeValue({ record, name, entity }: ValueProps) {
  const value = record[name];
  if (!isText(value)) return null;
  return entity.fields[name]?.readOnly === true ? <Ago value={value} /> : <Time value={value} />;
}

export function OptionalTimeValue(props: ValueProps) {
  const day = `${props.name}Date`;
  return isText(props.record[day]) ? <DayValue {...props} name={day} /> : <TimeValue {...props} />;
}

export function NumberValue(props: ValueProps) {
  const { record, name, entity } = props;
  const locale = useLocale();
  const value = record[name];
  // A weighted amount.
  if (entity.fields[name]?.amount !== undefined) return <ConvertedValue {...props} />;
  if (typeof value !== 'number' || !isPercentage(entity, name)) return <Numeral value={value} />;
  return new Intl.NumberFormat(locale, { style: 'unit', unit: 'percent' }).format(value);
}

function Numeral({ value }: { readonly value: unknown }) {
  const format = useFormat();
  return typeof value === 'number' ? format.number(value) : null;
}

export function MoneyValue({ record, name }: ValueProps) {
  return <Money record={record} name={name} />;
}

/** An amount. `short` omits the decimals of whole amounts. */
export function Money(props: {
  readonly record: AnyRecord;
  readonly name: string;
  readonly style?: 'short';
}) {
  const format = useFormat();
  const { record, name, style } = props;
  const value = record[name];
  const currency = record[`${name}Currency`];
  if (typeof value !== 'number') return null;
  return format.money(value, isText(currency) ? currency : undefined, style);
}

/** An amount in the currency of the exchange rates. */
export function ConvertedValue({ record, name }: ValueProps) {
  const format = useFormat();
  const currency = useBaseCurrency();
  const value = record[name];
  if (typeof value !== 'number') return null;
  return format.money(value, currency);
}

export function RangeValue({ record, name }: ValueProps) {
  const part = name.charAt(0).toUpperCase() + name.slice(1);
  const [from, to] = [record[`from${part}`], record[`to${part}`]];
  if (typeof from !== 'number' && typeof to !== 'number') return null;
  return (
    <>
      <Numeral value={from} /> – <Numeral value={to} />
    </>
  );
}

export function AddressValue({ record, name }: ValueProps) {
  const part = (suffix: string) => record[`${name}${suffix}`];
  const place = [part('PostalCode'), part('City')].filter(isText).join(' ');
  const lines = [part('Street'), place, part('State'), part('Country')].filter(isText);
  return lines.join(', ');
}

export function UrlValue({ record, name }: ValueProps) {
  return <SafeLink value={record[name]} prefix="" />;
}

/** Links only to web, mail and phone URLs because the value is untrusted. */
export function SafeLink({ value, prefix }: { readonly value: unknown; readonly prefix: string }) {
  if (!isText(value)) return null;
  const address = prefix === '' && !/^[a-z][a-z0-9+.-]*:/i.test(value) ? `https://${value}` : value;
  const href = `${prefix}${address}`;
  if (!/^(?:https?|mailto|tel):/i.test(href)) return value;
  const isElsewhere = prefix === '';
  return (
    <Anchor
      href={href}
      inherit
      {...(isElsewhere ? { target: '_blank', rel: 'noopener noreferrer' } : {})}
    >
      {isElsewhere ? value.replace(/^https:\/\//i, '') : value}
    </Anchor>
  );
}

export function LinkValue({ record, name, entity }: ValueProps) {
  const id = record[`${name}Id`];
  if (!isText(id)) return null;
  const type = record[`${name}Type`] ?? entity.links[name]?.entity;
  return <Linked entity={type} id={id} name={record[`${name}Name`]} />;
}

export function LinksValue({ record, name, entity }: ValueProps) {
  const linked = linkedOf(record, name);
  if (linked.length === 0) return null;
  return (
    <Group gap="xs">
      {linked.map((one) => (
        <Linked key={one.id} entity={entity.links[name]?.entity} {...one} />
      ))}
    </Group>
  );
}

function Linked(props: { readonly entity: unknown; readonly id: string; readonly name: unknown }) {
  return (
    <span>
      <RecordAvatar {...props} />
      <RecordLink {...props} />
    </span>
  );
}

export function JsonValue({ record, name }: ValueProps) {
  const value = record[name];
  if (value === null || value === undefined) return null;
  return (
    <Text component="code" size="sm" ff="monospace">
      {JSON.stringify(value)}
    </Text>
  );
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

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
