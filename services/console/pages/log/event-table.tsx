import { Badge, Button, Text } from '@mantine/core';
import { useMetadata } from '../../api/metadata.ts';
import type { EventType, LoggedChange } from '../../api/system.ts';
import { Author } from '../../fields/author.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { useChangedLabels } from './changed-labels.ts';
import { useLoggedTypeLabel } from './logged-type.ts';
import { type NamedRecord, useRecordNames } from './record-names.ts';

const namedAttributes = 4;

export function EventTable(props: {
  readonly label: string;
  readonly events: readonly LoggedChange[];
  readonly onOpen: (event: LoggedChange) => void;
}) {
  const t = usePageText();
  const nameOf = useRecordNames(props.events.map(subjectOf));
  const typeLabel = useLoggedTypeLabel();
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
          show: (event) => <RecordOf event={event} nameOf={nameOf} />,
        },
        { label: t('log.by'), show: (event) => <Author event={event} /> },
        { label: t('log.changes'), show: (event) => <ChangedNames event={event} /> },
        {
          label: '',
          show: (event) => (
            <Button
              size="compact-sm"
              variant="default"
              aria-label={t('log.detailsOf', {
                place: `${typeLabel(event.entityType)} ${nameIn(event) ?? nameOf(subjectOf(event)) ?? event.id} ${event.version}`,
              })}
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

/** The record of an event, with its id as a tooltip. Internal records have neither a name nor a page. */
export function RecordOf({
  event,
  nameOf,
}: {
  readonly event: LoggedChange;
  readonly nameOf: ReturnType<typeof useRecordNames>;
}) {
  const subject = subjectOf(event);
  const { entityType, id } = subject;
  const name = nameIn(event) ?? nameOf(subject);
  return (
    <span title={id}>
      {useMetadata().has(entityType) ? (
        <RecordLink entity={entityType} id={id} name={name} />
      ) : (
        <Text span size="sm" c="dimmed">
          –
        </Text>
      )}
    </span>
  );
}

const subscription = /^(?<id>[^.]+)[.].+[.](?<entityType>[A-Z][^.]*)$/;

/** The attributes that contain the record to which a record of these types belongs. */
const owners: Readonly<Record<string, readonly [type: string, id: string]>> = {
  Note: ['parentType', 'parentId'],
  StreamPins: ['entityType', 'entityId'],
};

/** Returns the record that an event concerns: for a post or a user's state of a record, that record. */
export function subjectOf({ entityType, id, changes }: LoggedChange): NamedRecord {
  const parts = entityType === 'StreamSubscription' ? subscription.exec(id)?.groups : undefined;
  const textIn = (name: string | undefined): string | undefined => {
    const change = changes.find(({ attribute }) => attribute === name);
    const value = change?.after ?? change?.before;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const [type, key] = owners[entityType]?.map(textIn) ?? [parts?.['entityType'], parts?.['id']];
  return type === undefined || key === undefined
    ? { entityType, id }
    : { entityType: type, id: key };
}

/** Returns the name of the record if the event contains it. */
function nameIn(event: LoggedChange): string | undefined {
  if (subjectOf(event).id !== event.id) return undefined;
  const after = event.changes.find(({ attribute }) => attribute === 'name')?.after;
  return typeof after === 'string' && after !== '' ? after : undefined;
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
  const t = usePageText();
  const [text, color] = types[type] ?? [];
  if (text === undefined) return type;
  return <Badge color={color}>{t(text)}</Badge>;
}

function ChangedNames({ event }: { readonly event: LoggedChange }) {
  const t = usePageText();
  const labelsOf = useChangedLabels();
  const attributes = event.changes.map(({ attribute }) => attribute);
  const names = labelsOf(event.entityType, attributes);
  const others = names.length - namedAttributes;
  return (
    <Text span size="sm" className="field-value">
      {names.slice(0, namedAttributes).join(', ')}
      {others > 0 ? ` ${t('log.andOthers', { count: others })}` : null}
    </Text>
  );
}
