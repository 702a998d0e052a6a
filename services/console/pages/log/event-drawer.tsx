import { Group, Stack } from '@mantine/core';
import { useMetadata } from '../../api/metadata.ts';
import type { LoggedChange } from '../../api/system.ts';
import { Author } from '../../fields/author.tsx';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { TextLink } from '../../parts/link.tsx';
import { SidePanel } from '../../parts/page/side-panel.tsx';
import { Time } from '../../parts/time.tsx';
import { ChangesTable } from './changes-table.tsx';
import { RecordOf, subjectOf, TypeBadge } from './event-table.tsx';
import { useLoggedTypeLabel } from './logged-type.ts';
import { useRecordNames } from './record-names.ts';

/** The details of an event. */
export function EventDrawer(props: {
  readonly event: LoggedChange | undefined;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const { event, onClose } = props;
  return (
    <SidePanel title={t('log.event')} isOpen={event !== undefined} onClose={onClose}>
      {event === undefined ? null : <Content event={event} />}
    </SidePanel>
  );
}

function RecordId({ id }: { readonly id: string }) {
  const t = usePageText();
  return (
    <Group gap="xs">
      <span>{id}</span>
      <Copy size="compact-xs" value={id} label={t('log.recordId')} />
    </Group>
  );
}

function Content({ event }: { readonly event: LoggedChange }) {
  const t = usePageText();
  const typeLabel = useLoggedTypeLabel();
  const { at, entityType, id, type, version, place, changes } = event;
  const hasPage = useMetadata().has(entityType);
  const nameOf = useRecordNames([subjectOf(event)]);
  return (
    <Stack>
      <Facts
        label={t('log.event')}
        facts={[
          [t('log.at'), <Time key="at" value={at} hasSeconds />],
          [t('log.what'), <TypeBadge key="type" type={type} />],
          [t('log.entityType'), typeLabel(entityType)],
          [t('log.record'), <RecordOf key="record" event={event} nameOf={nameOf} />],
          [t('log.recordId'), <RecordId key="id" id={id} />],
          [t('log.version'), `${version}`],
          [t('log.by'), <Author key="by" event={event} />],
          ...(place === undefined ? [] : [[t('log.place'), place] as const]),
        ]}
      />
      <Group>
        {hasPage ? (
          <TextLink
            size="sm"
            to="/records/$entity/$id"
            params={{ entity: entityType, id }}
            search={{ tab: 'time', version }}
          >
            {t('log.time')}
          </TextLink>
        ) : null}
        <TextLink size="sm" to="/happened/$id" params={{ id: event.requestId ?? id }}>
          {t('happened.link')}
        </TextLink>
        <Copy size="xs" value={JSON.stringify(event, null, 2)} label="JSON" />
      </Group>
      <ChangesTable entityType={entityType} changes={changes} />
    </Stack>
  );
}
