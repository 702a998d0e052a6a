import { Alert, Button, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  cancelMassAction,
  type MassActionStatus,
  massActionQuery,
} from '../../../api/mass-actions.ts';
import type { Entity } from '../../../api/metadata.ts';
import { namesQuery } from '../../../api/records.ts';
import { RecordLink } from '../../../fields/record-link.tsx';
import { useText } from '../../../language/language.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { ErrorDetails, LoadError } from '../../../parts/page/load-error.tsx';
import { useUndoChange } from '../../../undo/use-undo.tsx';

interface Props {
  readonly entity: Entity;
  readonly id: string;
  readonly onClose: () => void;
}

/** The progress and result of a mass action. */
export function MassActionPanel({ entity, id, onClose }: Props) {
  const t = useText();
  const queries = useQueryClient();
  const action = useQuery(massActionQuery(id));
  const status = action.data?.status;
  useEffect(() => {
    if (status === undefined || status === 'Running') return;
    void queries.invalidateQueries({ queryKey: ['records'] });
  }, [status, queries]);
  if (action.data === undefined) {
    if (action.error === null) return null;
    return (
      <Stack gap="xs" align="flex-start">
        <LoadError error={action.error} onRetry={() => void action.refetch()} />
        <Button size="compact-sm" variant="default" onClick={onClose}>
          {t('parts.close')}
        </Button>
      </Stack>
    );
  }
  return status === 'Running' ? (
    <Running id={id} progress={action.data} />
  ) : (
    <Ended entity={entity} id={id} ended={action.data} onClose={onClose} />
  );
}

function Running(props: { readonly id: string; readonly progress: MassActionStatus }) {
  const t = useText();
  const queries = useQueryClient();
  const { processedCount, recordCount } = props.progress;
  const cancelling = useMutation({
    mutationFn: async () => cancelMassAction(props.id),
    onSettled: () =>
      void queries.invalidateQueries({ queryKey: massActionQuery(props.id).queryKey }),
  });
  const text = t('many.running', { done: `${processedCount}`, total: `${recordCount}` });
  return (
    <Alert variant="outline" title={t('many.runningTitle')}>
      <Stack gap="xs">
        <Text size="sm" role="status">
          {text}
        </Text>
        <Progress value={(processedCount / Math.max(1, recordCount)) * 100} aria-label={text} />
        {cancelling.error === null ? null : <ErrorDetails error={cancelling.error} />}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            loading={cancelling.isPending}
            onClick={() => cancelling.mutate()}
          >
            {t('many.cancel')}
          </Button>
          <Text size="xs">{t('many.runningText')}</Text>
        </Group>
      </Stack>
    </Alert>
  );
}

const titles = {
  Running: 'many.runningTitle',
  Success: 'many.success',
  Stopped: 'many.stopped',
  Cancelled: 'many.cancelled',
  Failed: 'many.failed',
} as const;

function Ended(props: {
  readonly entity: Entity;
  readonly id: string;
  readonly ended: MassActionStatus;
  readonly onClose: () => void;
}) {
  const t = useText();
  const reasonText = useReasonText();
  const undoing = useUndoChange();
  const { status, processedCount, recordCount, reason, skipped = [] } = props.ended;
  const title = titles[status as keyof typeof titles];
  return (
    <Paper withBorder p="sm" component="section" aria-label={t(title)}>
      <Stack gap="xs" align="flex-start">
        <Text fw={600}>{t(title)}</Text>
        <Text size="sm" role="status">
          {t('many.done', { count: processedCount, total: `${recordCount}` })}{' '}
          {reason === undefined ? null : reasonText(reason)}
        </Text>
        {skipped.length === 0 ? null : <SkippedTable entity={props.entity} rows={skipped} />}
        <Group gap="xs">
          {processedCount === 0 ? null : (
            <Button
              size="compact-sm"
              variant="default"
              loading={undoing.isPending}
              onClick={() => undoing.mutate(`MassAction/${props.id}`, { onSettled: props.onClose })}
            >
              {t('undo.undo')}
            </Button>
          )}
          <Button size="compact-sm" variant="default" onClick={props.onClose}>
            {t('parts.close')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

type Skipped = NonNullable<MassActionStatus['skipped']>[number];

function SkippedTable(props: { readonly entity: Entity; readonly rows: readonly Skipped[] }) {
  const t = useText();
  const reasonText = useReasonText();
  return (
    <DataTable
      label={t('many.skipped')}
      minWidth={280}
      rows={props.rows}
      keyOf={({ reason }) => reason}
      columns={[
        { label: t('many.why'), show: ({ reason }) => reasonText(reason) },
        { label: t('many.skippedCount'), show: ({ count }) => `${count}` },
        {
          label: t('many.which'),
          show: ({ ids, count }) => <SomeLinks entity={props.entity} ids={ids} count={count} />,
        },
      ]}
    />
  );
}

const shownLinks = 5;

function SomeLinks(props: {
  readonly entity: Entity;
  readonly ids: readonly string[];
  readonly count: number;
}) {
  const t = useText();
  const shown = props.ids.slice(0, shownLinks);
  const { data: names } = useQuery(namesQuery(props.entity.name, shown));
  const others = props.count - shown.length;
  return (
    <Group gap="xs">
      {shown.map((id) => (
        <RecordLink key={id} entity={props.entity.name} id={id} name={names?.get(id)} />
      ))}
      {others > 0 ? t('many.others', { count: others }) : null}
    </Group>
  );
}

/** Returns the text for the reason why a record was skipped or an action was stopped. */
function useReasonText(): (code: string) => string {
  const t = useText();
  return (code) => {
    const key = Object.hasOwn(reasons, code) ? reasons[code as keyof typeof reasons] : undefined;
    return key === undefined ? code : t(key);
  };
}

const reasons = {
  'access.denied': 'many.accessDenied',
  'access.admin_only': 'many.accessDenied',
  'mass_action.denied': 'many.accessDenied',
  'user.inactive': 'many.accessDenied',
  'assignment.denied': 'many.assignmentDenied',
  'record.not_found': 'many.deleted',
  'record.invalid': 'many.invalid',
  'entity.unknown': 'many.typeGone',
} as const;
