import { Badge, Code, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Change, type RejectedEntry, rejectedEntryQuery } from '../../api/system.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Facts } from '../../parts/facts.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { SidePanel } from '../../parts/page/side-panel.tsx';
import { ChangesTable } from './changes-table.tsx';
import { useLoggedTypeLabel } from './logged-type.ts';
import { RejectedActions } from './rejected-actions.tsx';

/** The details of a rejected entry, with its content if it is readable. */
export function RejectedDrawer(props: {
  readonly id: string | undefined;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const { id, onClose } = props;
  return (
    <SidePanel title={t('log.rejected')} isOpen={id !== undefined} onClose={onClose}>
      {id === undefined ? null : <Content id={id} onGone={onClose} />}
    </SidePanel>
  );
}

const kinds = {
  event: 'log.kindEvent',
  fence: 'log.kindFence',
  unreadable: 'log.kindUnreadable',
} as const;

function Content({ id, onGone }: { readonly id: string; readonly onGone: () => void }) {
  const t = usePageText();
  const format = useFormat();
  const { data, error, refetch } = useQuery(rejectedEntryQuery(id));
  if (data === undefined) {
    if (error === null) return <Skeleton h={200} />;
    return <LoadError error={error} onRetry={() => void refetch()} />;
  }
  const { reason, bytes, kind, event, fence, text, hex } = data;
  const content = text ?? hex ?? JSON.stringify(event ?? fence, null, 2);
  const { entityType, changes } = event ?? {};
  return (
    <Stack>
      <Facts
        label={t('log.rejected')}
        facts={[
          [t('log.place'), id],
          [t('log.record'), <QuarantinedRecord key="record" entry={data} />],
          [t('log.state'), <RejectedState key="state" entry={data} />],
          [t('log.reason'), reason],
          [t('log.kind'), t(kinds[kind])],
          [t('log.size'), format.bytes(bytes)],
        ]}
      />
      <Group>
        <RejectedActions entry={data} onGone={onGone} />
      </Group>
      {Array.isArray(changes) ? (
        <ChangesTable entityType={String(entityType)} changes={changes as readonly Change[]} />
      ) : null}
      <Group>
        <Copy size="xs" value={content} label={t('log.content')} />
      </Group>
      <Code block style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {content}
      </Code>
    </Stack>
  );
}

/** The record that an entry quarantines. */
export function QuarantinedRecord({ entry }: { readonly entry: RejectedEntry }) {
  const typeLabel = useLoggedTypeLabel();
  const { entityType, recordId } = entry;
  if (entityType === null || recordId === null) return '–';
  return (
    <Text span inherit>
      {typeLabel(entityType)} <RecordLink entity={entityType} id={recordId} name={recordId} />
    </Text>
  );
}

/** Shows whether an administrator has to act on an entry. */
export function RejectedState({ entry }: { readonly entry: RejectedEntry }) {
  const t = usePageText();
  const [text, color] = entry.acknowledged
    ? (['log.stateAcknowledged', 'gray'] as const)
    : entry.recordId === null
      ? (['log.stateOpen', 'red'] as const)
      : (['log.stateQuarantined', 'yellow'] as const);
  return <Badge color={color}>{t(text)}</Badge>;
}
