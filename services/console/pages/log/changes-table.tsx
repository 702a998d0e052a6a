import { Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { type Entity, type Metadata, useMetadata } from '../../api/metadata.ts';
import type { Change } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { AnyValue } from '../../parts/any-value.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { FieldValueOrDash } from '../record/field-value-or-dash.tsx';
import { differences } from '../record/time/versions.ts';
import { useLoggedPartLabel } from './logged-type.ts';
import { type NamedRecord, useRecordNames } from './record-names.ts';

interface Props {
  readonly entityType: string;
  readonly changes: readonly Change[];
}

/** What an event changed, with the values before and after. */
export function ChangesTable(props: Props) {
  const t = usePageText();
  return (
    <DataTable
      empty={<Text size="sm">{t('log.noChanges')}</Text>}
      label={t('log.changes')}
      minWidth={420}
      rows={useShownChanges(props)}
      keyOf={({ name }) => name}
      columns={[
        { label: t('time.attribute'), show: ({ label }) => label },
        { label: t('log.before'), show: ({ before }) => before },
        { label: t('log.after'), show: ({ after }) => after },
      ]}
    />
  );
}

interface ShownChange {
  readonly name: string;
  readonly label: string;
  readonly before: ReactNode;
  readonly after: ReactNode;
}

/** Returns the changed fields of a record as its page shows them, and the changed attributes of an internal record. */
export function useShownChanges({ entityType, changes }: Props): readonly ShownChange[] {
  const labelOf = useLoggedPartLabel();
  const metadata = useMetadata();
  const entity = metadata.get(entityType);
  const [before, after] = [valuesIn(changes, 'before'), valuesIn(changes, 'after')];
  const nameOf = useRecordNames(
    entity === undefined
      ? []
      : [...linkedIn(entity, before, metadata), ...linkedIn(entity, after, metadata)],
  );
  if (entity === undefined) {
    return changes.map((change) => ({
      name: change.attribute,
      label: labelOf(entityType, change.attribute),
      before: <AnyValue value={change.before} />,
      after: <AnyValue value={change.after} />,
    }));
  }
  const show = (name: string, values: Values) => (
    <FieldValueOrDash
      entity={entity}
      name={name}
      record={{ id: '', ...values, ...namesFor(entity, name, { values, metadata, nameOf }) }}
    />
  );
  return differences(entity, before, after).map(({ name }) => ({
    name,
    label: labelOf(entityType, name),
    before: show(name, before),
    after: show(name, after),
  }));
}

function valuesIn(changes: readonly Change[], side: 'after' | 'before'): Values {
  return Object.fromEntries(changes.map((change) => [change.attribute, change[side]]));
}

type Values = Readonly<Record<string, unknown>>;

/** Returns the records to which the values link. */
function linkedIn(entity: Entity, values: Values, metadata: Metadata): readonly NamedRecord[] {
  return Object.keys(entity.links).flatMap((link) => linkedBy(entity, link, { values, metadata }));
}

function linkedBy(
  entity: Entity,
  link: string,
  { values, metadata }: { readonly values: Values; readonly metadata: Metadata },
): readonly NamedRecord[] {
  const type = values[`${link}Type`] ?? entity.links[link]?.entity;
  if (typeof type !== 'string' || !metadata.has(type)) return [];
  const ids = [values[`${link}Id`], values[`${link}Ids`]].flat();
  return ids.flatMap((id) =>
    typeof id === 'string' && id !== '' ? [{ entityType: type, id }] : [],
  );
}

/** Returns the attributes with the names of linked records, which events do not contain. */
function namesFor(
  entity: Entity,
  link: string,
  context: {
    readonly values: Values;
    readonly metadata: Metadata;
    readonly nameOf: (record: NamedRecord) => string | undefined;
  },
): Values {
  const linked = linkedBy(entity, link, context).map((one) => [one.id, context.nameOf(one)]);
  return linked.length === 0
    ? {}
    : { [`${link}Name`]: linked[0]?.[1], [`${link}Names`]: Object.fromEntries(linked) };
}
