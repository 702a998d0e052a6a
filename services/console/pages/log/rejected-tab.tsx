import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RejectedEntry, rejectedQuery } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { RejectedActions } from './rejected-actions.tsx';
import { QuarantinedRecord, RejectedDrawer, RejectedState } from './rejected-drawer.tsx';

interface Props {
  readonly entry: string | undefined;
  readonly onOpen: (entry: string | undefined) => void;
}

/** The log entries that could not be applied to the tables. */
export function RejectedTab({ entry, onOpen }: Props) {
  const { data, error, refetch } = useQuery(rejectedQuery);
  return (
    <Stack>
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton h={160} />
        ) : null
      ) : (
        <List {...data} onOpen={onOpen} />
      )}
      <RejectedDrawer id={entry} onClose={() => onOpen(undefined)} />
    </Stack>
  );
}

function List(props: {
  readonly total: number;
  readonly list: readonly RejectedEntry[];
  readonly onOpen: (entry: string) => void;
}) {
  const t = usePageText();
  const format = useFormat();
  if (props.total === 0) {
    return <Empty title={t('log.noRejected')} text={t('log.noRejectedText')} />;
  }
  return (
    <>
      <Text size="sm">{t('log.rejectedText')}</Text>
      {props.list.length < props.total ? (
        <Text size="sm">
          {t('log.rejectedFirst', {
            count: format.number(props.list.length),
            total: format.number(props.total),
          })}
        </Text>
      ) : null}
      <DataTable
        label={t('log.tabRejected')}
        minWidth={1080}
        rows={props.list}
        keyOf={({ id }) => id}
        columns={[
          { label: t('log.place'), show: ({ id }) => id },
          { label: t('log.record'), show: (entry) => <QuarantinedRecord entry={entry} /> },
          { label: t('log.state'), show: (entry) => <RejectedState entry={entry} /> },
          { label: t('log.reason'), show: ({ reason }) => reason },
          { label: t('log.size'), show: ({ bytes }) => format.bytes(bytes) },
          {
            label: '',
            show: (entry) => (
              <Group gap="xs" justify="flex-end" wrap="nowrap">
                <RejectedActions entry={entry} />
                <Button
                  size="compact-sm"
                  variant="default"
                  aria-label={t('log.detailsOf', { place: entry.id })}
                  onClick={() => props.onOpen(entry.id)}
                >
                  {t('log.details')}
                </Button>
              </Group>
            ),
          },
        ]}
      />
    </>
  );
}
