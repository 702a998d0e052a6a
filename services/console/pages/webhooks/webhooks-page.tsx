import { Button, Group, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { CreateWebhookDialog } from './settings/create-webhook-dialog.tsx';
import { WebhookTable } from './webhook-table.tsx';

interface PageState {
  readonly mode: 'new' | undefined;
}

const readers = { mode: (raw: unknown) => (raw === 'new' ? ('new' as const) : undefined) };

export function WebhooksPage() {
  return isAdministrator(useUser()) ? <Webhooks /> : <NotFound />;
}

function Webhooks() {
  const t = usePageText();
  const [state, change] = useSearchState<PageState>(readers);
  return (
    <Stack p="md">
      <Group justify="space-between">
        <PageTitle>{t('titles.webhooks')}</PageTitle>
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => change({ mode: 'new' })}
        >
          {t('webhooks.new')}
        </Button>
      </Group>
      <List />
      <CreateWebhookDialog
        isOpen={state.mode === 'new'}
        onClose={() => change({ mode: undefined }, { replace: true })}
      />
    </Stack>
  );
}

function List() {
  const t = usePageText();
  const found = useQuery(webhooksQuery);
  if (found.data === undefined) return <Pending query={found} height={160} />;
  if (found.data.length === 0) {
    return <Empty title={t('webhooks.nothing')} text={t('webhooks.nothingText')} />;
  }
  return <WebhookTable webhooks={found.data} />;
}
