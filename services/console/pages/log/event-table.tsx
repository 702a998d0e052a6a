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
import { useRecordNames } from './record-names.ts';

const namedAttributes = 4;

export function EventTable(props: {
  readonly label: string;
  readonly events: readonly LoggedChange[];
  /** True if the names of records that an event does not contain are loaded, which takes further requests. */
  readonly hasNames?: boolean;
  readonly onOpen: (event: LoggedChange) => void;
}) {
  const t = usePageText();
  const nameOf = useRecordNames(props.hasNames === true ? props.events.map(subjectOf) : []);
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
          show: (event) => (
            <RecordOf event={event} name={nameIn(event) ?? nameOf(subjectOf(event))} />
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

/** The record of an event. Internal records have no page. */
export function RecordOf({
  event,
  name,
}: {
  readonly event: LoggedChange;
  readonly name?: string | undefined;
}) {
  const { entityType, id } = subjectOf(event);
  if (useMetadata().has(entityType)) return <RecordLink entity={entityType} id={id} name={name} />;
  return (
    <Text span size="xs" c="dimmed" className="wrapping">
      {id}
    </Text>
  );
}

const subscription = /^(?<id>[^.]+)[.].+[.](?<entityType>[A-Z][^.]*)$/;

/** Returns the record that an event concerns: for a user's state of a record, that record. */
function subjectOf({ entityType, id }: LoggedChange): {
  readonly entityType: string;
  readonly id: string;
} {
  const parts = entityType === 'StreamSubscription' ? subscription.exec(id)?.groups : undefined;
  return { entityType: parts?.['entityType'] ?? entityType, id: parts?.['id'] ?? id };
}

/** Returns the name of the record if the event contains it. */
function nameIn({ changes }: LoggedChange): string | undefined {
  const after = changes.find(({ attribute }) => attribute === 'name')?.after;
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
