import { Badge, Button, Text } from '@mantine/core';
import { usePartLabel, useTypeLabel } from '../../api/metadata.ts';
import type { EventType, LoggedChange } from '../../api/system.ts';
import { Author } from '../../fields/author.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Time } from '../../parts/time.tsx';

const namedAttributes = 4;

export function EventTable(props: {
  readonly label: string;
  readonly events: readonly LoggedChange[];
  readonly onOpen: (event: LoggedChange) => void;
}) {
  const t = useText();
  const typeLabel = useTypeLabel();
  return (
    <DataTable
      label={props.label}
      minWidth={1000}
      rows={props.events}
      keyOf={nameOfEvent}
      columns={[
        { label: t('log.at'), show: ({ at }) => <Time value={at} hasSeconds /> },
        { label: t('log.what'), show: ({ type }) => <TypeBadge type={type} /> },
        { label: t('log.entityType'), show: ({ entityType }) => typeLabel(entityType) },
        {
          label: t('log.record'),
          show: (event) => (
            <RecordLink entity={event.entityType} id={event.id} name={nameOfRecord(event)} />
          ),
        },
        { label: t('log.by'), show: (event) => <Author event={event} /> },
        { label: t('log.changes'), show: (event) => <ChangedNames event={event} /> },
        {
          label: '',
          show: (event) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('log.detailsOf', { place: nameOfEvent(event) })}
              onClick={() => props.onOpen(event)}
            >
              {t('log.details')}
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Returns the name of the record if the event contains it, and otherwise its id. */
function nameOfRecord({ id, changes }: LoggedChange): string {
  const after = changes.find(({ attribute }) => attribute === 'name')?.after;
  return typeof after === 'string' && after !== '' ? after : id;
}

function nameOfEvent({ entityType, id, version }: LoggedChange): string {
  return `${entityType} ${id} ${version}`;
}

const types = {
  created: ['time.created', 'green'],
  updated: ['time.updated', 'blue'],
  deleted: ['time.deleted', 'red'],
} as const;

export function TypeBadge({ type }: { readonly type: EventType }) {
  const t = useText();
  const [text, color] = types[type] ?? [];
  if (text === undefined) return type;
  return <Badge color={color}>{t(text)}</Badge>;
}

function ChangedNames({ event }: { readonly event: LoggedChange }) {
  const t = useText();
  const partLabel = usePartLabel();
  const names = event.changes.map(({ attribute }) => partLabel(event.entityType, attribute));
  const others = names.length - namedAttributes;
  return (
    <Text span size="sm" className="field-value">
      {names.slice(0, namedAttributes).join(', ')}
      {others > 0 ? ` ${t('log.andOthers', { count: others })}` : null}
    </Text>
  );
}
