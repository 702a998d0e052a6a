import { Badge, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { AuditEntry } from '../../api/system.ts';
import { Author } from '../../fields/author.tsx';
import { RecordLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { TextLink } from '../../parts/link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Time } from '../../parts/time.tsx';
import { useShownChanges } from '../log/changes-table.tsx';
import { methodText, reasonText } from './sign-in-text.ts';

export const kindTexts = {
  signIn: 'system.auditSignIn',
  user: 'system.auditOfUser',
  role: 'system.auditOfRole',
  team: 'system.auditOfTeam',
  definition: 'system.auditOfDefinition',
  provider: 'system.auditOfProvider',
  webhook: 'system.auditOfWebhook',
} as const;

const actions = {
  created: ['time.created', 'green'],
  updated: ['time.updated', 'blue'],
  deleted: ['time.deleted', 'red'],
  restored: ['time.restored', 'green'],
  signedIn: ['system.signedIn', 'green'],
  refused: ['system.refused', 'red'],
} as const;

/** Lists audit entries in the order of the API, newest first. */
export function AuditTable({ entries }: { readonly entries: readonly AuditEntry[] }) {
  const t = usePageText();
  return (
    <DataTable
      label={t('system.tabAudit')}
      minWidth={1000}
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { label: t('log.at'), show: ({ at }) => <Time value={at} hasSeconds /> },
        { label: t('system.auditKind'), show: ({ kind }) => t(kindTexts[kind]) },
        { label: t('log.what'), show: ({ action }) => <Action action={action} /> },
        { label: t('log.by'), show: (entry) => <AuthorOf entry={entry} /> },
        { label: t('system.auditAbout'), show: (entry) => <About entry={entry} /> },
        {
          label: t('system.auditRequest'),
          show: ({ requestId }) => (
            <Text span size="xs" className="field-value">
              {requestId === null ? (
                '–'
              ) : (
                <TextLink inherit to="/happened/$id" params={{ id: requestId }}>
                  {requestId}
                </TextLink>
              )}
            </Text>
          ),
        },
      ]}
    />
  );
}

function Action({ action }: { readonly action: AuditEntry['action'] }) {
  const t = usePageText();
  const [text, color] = actions[action];
  return <Badge color={color}>{t(text)}</Badge>;
}

function AuthorOf({ entry }: { readonly entry: AuditEntry }) {
  const { byId, signIn } = entry;
  if (byId === null) return signIn?.userName ?? '–';
  return <Author event={{ ...entry, byId }} />;
}

function About({ entry }: { readonly entry: AuditEntry }) {
  const t = usePageText();
  const [isOpen, setOpen] = useState(false);
  const { record, changes, signIn } = entry;
  if (signIn !== null) {
    const { method, address, reason, attempts } = signIn;
    const text = [
      address,
      methodText(method, t),
      ...(reason === null ? [] : [reasonText(reason, t)]),
    ].join(', ');
    return attempts === 1 ? text : `${text} ${t('system.attempts', { count: attempts })}`;
  }
  if (record === null) return null;
  return (
    <Stack gap="xs">
      <Named record={record} />
      {(changes ?? []).length === 0 ? null : (
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary>{t('system.attributes', { count: changes?.length ?? 0 })}</summary>
          {isOpen ? <Changes entityType={record.entityType} changes={changes ?? []} /> : null}
        </details>
      )}
    </Stack>
  );
}

function Changes(props: Parameters<typeof useShownChanges>[0]) {
  return useShownChanges(props).map(({ name, label, before, after }) => (
    <Text key={name} size="sm" component="div" className="field-value">
      {label}: {before} → {after}
    </Text>
  ));
}

/** Entity types with dedicated administration pages. */
const linked: ReadonlySet<string> = new Set(['User', 'Team', 'Role']);

function Named({ record }: { readonly record: NonNullable<AuditEntry['record']> }) {
  const { entityType, id, name } = record;
  if (linked.has(entityType)) return <RecordLink entity={entityType} id={id} name={name} />;
  return <span title={id}>{name ?? id}</span>;
}
