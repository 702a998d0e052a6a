import { Alert, Button, List, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type DeliveryState, type Ledger, ledgerQuery } from '../../../api/webhooks.ts';
import { useFormat } from '../../../language/format.ts';
import { usePageText } from '../../../language/page-text.ts';

import { Hint } from '../../../parts/hint.tsx';
import { TextLink } from '../../../parts/link.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { LoadError } from '../../../parts/page/load-error.tsx';
import { Panel } from '../../../parts/page/panel.tsx';
import { Time } from '../../../parts/time.tsx';
import { LedgerFlow } from './ledger-flow.tsx';

/** The ledger of a webhook: where all of its events are. Loaded only on demand because the server reads the whole log. */
export function LedgerPanel(props: {
  readonly id: string;
  readonly isShown: boolean;
  readonly onShow: () => void;
}) {
  const t = usePageText();
  const { id, isShown, onShow } = props;
  const found = useQuery({ ...ledgerQuery(id), enabled: isShown });
  return (
    <Panel title={t('ledger.title')}>
      {found.data !== undefined ? (
        <Balance ledger={found.data} />
      ) : found.error !== null ? (
        <LoadError error={found.error} onRetry={() => void found.refetch()} />
      ) : isShown ? (
        <Stack gap="xs">
          <Text size="sm" role="status">
            {t('ledger.reading')}
          </Text>
          <Skeleton h={160} />
        </Stack>
      ) : (
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{t('ledger.text')}</Text>
          <Button variant="default" onClick={onShow}>
            {t('ledger.show')}
          </Button>
        </Stack>
      )}
    </Panel>
  );
}

function Balance({ ledger }: { readonly ledger: Ledger }) {
  const t = usePageText();
  const { matched, enqueued, waitingInLog, delivered, dead, waiting, problems } = ledger;
  const dropped = droppedOf(ledger);
  const numbers = { enqueued, log: waitingInLog, delivered, dead, dropped, waiting };
  return (
    <Stack gap="sm">
      <LedgerFlow ledger={ledger} dropped={dropped} />
      <Text size="sm">
        {matched === null
          ? t('ledger.removed', numbers)
          : t('ledger.sentence', { ...numbers, count: matched })}{' '}
        {problems.length === 0 ? t('ledger.balanced') : null}
      </Text>
      {problems.length === 0 ? null : (
        <Alert color="red" role="alert" title={t('ledger.problems', { count: problems.length })}>
          <List size="sm">
            {problems.map((problem) => (
              <List.Item key={problem}>{problem}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      <LedgerTable ledger={ledger} />
      <Hint>
        {t('ledger.at')} <Time value={ledger.at} />
      </Hint>
    </Stack>
  );
}

interface Line {
  readonly name: string;
  readonly label: string;
  readonly events: number;
  /** State of the batches that the number links to. */
  readonly state?: DeliveryState;
}

function LedgerTable({ ledger }: { readonly ledger: Ledger }) {
  const t = usePageText();
  const { matched, waitingInLog, enqueued, replayed, delivered, dead, waiting } = ledger;
  const line = (name: string, label: string, events: number, state?: DeliveryState): Line => ({
    name,
    label,
    events,
    ...(state === undefined ? {} : { state }),
  });
  const lines = [
    ...(matched === null ? [] : [line('matched', t('ledger.matched'), matched)]),
    line('log', t('ledger.log'), waitingInLog),
    line('enqueued', t('ledger.enqueued'), enqueued),
    ...(replayed === 0 ? [] : [line('replayed', t('ledger.replayed'), replayed)]),
    line('delivered', t('webhooks.stateDelivered'), delivered, 'delivered'),
    line('dead', t('webhooks.stateDead'), dead, 'dead'),
    ...Object.entries(ledger.dropped).map(([reason, events]) =>
      line(reason, t('ledger.dropped', { reason }), events, 'dropped'),
    ),
    line('waiting', t('webhooks.stateWaiting'), waiting, 'waiting'),
  ];
  return (
    <DataTable
      label={t('ledger.title')}
      rows={lines}
      keyOf={({ name }) => name}
      minWidth={280}
      columns={[
        { label: t('ledger.where'), show: ({ label }) => label },
        { label: t('webhooks.events'), show: (row) => <Events id={ledger.webhookId} {...row} /> },
      ]}
    />
  );
}

function Events({ id, events, state }: Line & { readonly id: string }) {
  const text = useFormat().number(events);
  if (state === undefined) return text;
  return (
    <TextLink inherit to="/webhooks/$id" params={{ id }} search={{ tab: 'deliveries', state }}>
      {text}
    </TextLink>
  );
}

function droppedOf({ dropped }: Ledger): number {
  return Object.values(dropped).reduce((sum, events) => sum + events, 0);
}
