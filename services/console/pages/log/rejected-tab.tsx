import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type RejectedEntry, rejectedQuery } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { RejectedDrawer } from './rejected-drawer.tsx';

interface Props {
  readonly entry: string | undefined;
  readonly onOpen: (entry: string | undefined) => void;
}

/** Entries of the log that no table took. */
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
        <List entries={data} onOpen={onOpen} />
      )}
      <RejectedDrawer id={entry} onClose={() => onOpen(undefined)} />
    </Stack>
  );
}

function List(props: {
  readonly entries: readonly RejectedEntry[];
  readonly onOpen: (entry: string) => void;
}) {
  const t = useText();
  const format = useFormat();
  if (props.entries.length === 0) {
    return <Empty title={t('log.noRejected')} text={t('log.noRejectedText')} />;
  }
  return (
    <>
      <Text size="sm">{t('log.rejectedText')}</Text>
      <DataTable
        label={t('log.tabRejected')}
        minWidth={640}
        rows={props.entries}
        keyOf={({ id }) => id}
        columns={[
          { name: 'id', label: t('log.place'), show: ({ id }) => id },
          { name: 'reason', label: t('log.reason'), show: ({ reason }) => reason },
          { name: 'bytes', label: t('log.size'), show: ({ bytes }) => format.bytes(bytes) },
          {
            name: 'open',
            label: '',
            show: ({ id }) => (
              <Button
                size="compact-sm"
                variant="default"
                aria-label={t('log.detailsOf', { place: id })}
                onClick={() => props.onOpen(id)}
              >
                {t('log.details')}
              </Button>
            ),
          },
        ]}
      />
    </>
  );
}
