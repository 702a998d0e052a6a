import { Anchor, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Entity, Field } from '../api/metadata.ts';
import type { AnyRecord } from '../api/records.ts';
import { useFormat } from '../language/format.ts';
import { useText } from '../language/language.tsx';
import { Time } from '../parts/time.tsx';
import { FileLink, RecordLink } from './record-link.tsx';

export interface FieldValueProps {
  readonly record: AnyRecord;
  readonly name: string;
  readonly field: Field;
  readonly entity: Entity;
}

type Show = (props: FieldValueProps) => ReactNode;

/** How a field of a record is read; nothing for an empty one. Whatever it holds is shown as text. */
export function FieldValue(props: FieldValueProps) {
  const show = Object.hasOwn(shows, props.field.type) ? shows[props.field.type] : undefined;
  return show === undefined ? <PlainText value={props.record[props.name]} /> : show(props);
}

const shows: Readonly<Record<string, Show>> = {
  bool: ({ record, name }) => <YesNo value={record[name] === true} />,
  multiEnum: showList,
  checklist: showList,
  array: showList,
  urlMultiple: showList,
  date: (props) => <Day {...props} />,
  datetime: showTime,
  datetimeOptional: (props) =>
    isText(props.record[`${props.name}Date`]) ? (
      <Day {...props} name={`${props.name}Date`} />
    ) : (
      showTime(props)
    ),
  int: showNumber,
  enumInt: showNumber,
  float: showNumber,
  enumFloat: showNumber,
  autoincrement: showNumber,
  currency: (props) => <Money {...props} />,
  currencyConverted: showNumber,
  address: showAddress,
  rangeInt: showRange,
  rangeFloat: showRange,
  rangeCurrency: showRange,
  email: ({ record, name }) => <SafeLink value={record[name]} prefix="mailto:" />,
  phone: ({ record, name }) => <SafeLink value={record[name]} prefix="tel:" />,
  url: ({ record, name }) => <SafeLink value={record[name]} prefix="" />,
  link: showLink,
  linkOne: showLink,
  linkParent: showLink,
  linkMultiple: showNames,
  file: showFile,
  image: showFile,
  attachmentMultiple: showFiles,
  jsonObject: showJson,
  jsonArray: showJson,
};

function PlainText({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return null;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function YesNo({ value }: { readonly value: boolean }) {
  const t = useText();
  return t(value ? 'shell.yes' : 'shell.no');
}

function showList({ record, name }: FieldValueProps) {
  const values = record[name];
  return Array.isArray(values) ? values.map(String).join(', ') : null;
}

function Day({ record, name }: FieldValueProps) {
  const format = useFormat();
  const value = record[name];
  return isText(value) ? format.day(value) : null;
}

function showTime({ record, name }: FieldValueProps) {
  const value = record[name];
  return isText(value) ? <Time value={value} /> : null;
}

function showNumber({ record, name }: FieldValueProps) {
  return <Numeral value={record[name]} />;
}

function Numeral({ value }: { readonly value: unknown }) {
  const format = useFormat();
  return typeof value === 'number' ? format.number(value) : null;
}

function Money({ record, name }: FieldValueProps) {
  const format = useFormat();
  const value = record[name];
  const currency = record[`${name}Currency`];
  if (typeof value !== 'number') return null;
  return isText(currency) ? format.money(value, currency) : format.number(value);
}

function showRange({ record, name }: FieldValueProps) {
  const part = name.charAt(0).toUpperCase() + name.slice(1);
  const [from, to] = [record[`from${part}`], record[`to${part}`]];
  if (typeof from !== 'number' && typeof to !== 'number') return null;
  return (
    <>
      <Numeral value={from} /> – <Numeral value={to} />
    </>
  );
}

function showAddress({ record, name }: FieldValueProps) {
  const part = (suffix: string) => record[`${name}${suffix}`];
  const place = [part('PostalCode'), part('City')].filter(isText).join(' ');
  const lines = [part('Street'), place, part('State'), part('Country')].filter(isText);
  return lines.join(', ');
}

/** Leads nowhere but to the web, mail and telephones: a value is what anybody wrote. */
function SafeLink({ value, prefix }: { readonly value: unknown; readonly prefix: string }) {
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
      {value}
    </Anchor>
  );
}

function showLink({ record, name, entity }: FieldValueProps) {
  const id = record[`${name}Id`];
  if (!isText(id)) return null;
  const type = record[`${name}Type`] ?? entity.links[name]?.entity;
  return <RecordLink entity={type} id={id} name={record[`${name}Name`]} />;
}

function showNames({ record, name, entity }: FieldValueProps) {
  const ids = record[`${name}Ids`];
  if (!Array.isArray(ids) || ids.length === 0) return null;
  const names = Object(record[`${name}Names`]);
  return (
    <Group gap="xs">
      {ids.map((id) => (
        <RecordLink
          key={String(id)}
          entity={entity.links[name]?.entity}
          id={String(id)}
          name={names[id]}
        />
      ))}
    </Group>
  );
}

function showFile({ record, name }: FieldValueProps) {
  const id = record[`${name}Id`];
  return isText(id) ? <FileLink id={id} name={record[`${name}Name`]} /> : null;
}

function showFiles({ record, name }: FieldValueProps) {
  const ids = record[`${name}Ids`];
  const names = Object(record[`${name}Names`]);
  if (!Array.isArray(ids)) return null;
  return ids.map((id) => <FileLink key={String(id)} id={String(id)} name={names[id]} />);
}

function showJson({ record, name }: FieldValueProps) {
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
