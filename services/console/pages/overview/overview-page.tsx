import { Group, SegmentedControl, SimpleGrid, Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { type SeriesRange, seriesQuery, seriesRanges } from '../../api/system.ts';
import { usePageText } from '../../language/page-text.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { LoadError } from '../../parts/page/load-error.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { ChartPanel } from './chart-panel.tsx';
import { charts } from './charts.ts';
import { FailingWebhooks } from './failing-webhooks.tsx';
import { NextSteps } from './next-steps.tsx';
import { useSetup } from './setup.ts';

interface PageState {
  readonly range: SeriesRange | undefined;
}

const readers = {
  range: (raw: unknown) => seriesRanges.find((range) => range === raw),
};

export function OverviewPage() {
  return useUser().user.isAdmin ? <Overview /> : <NotFound />;
}

/** The next steps of a new installation. Charts follow once there are records. */
function Overview() {
  const t = usePageText();
  const { done, hide } = useSetup();
  const [state, change] = useSearchState<PageState>(readers);
  const range = state.range ?? '24h';
  const hasCharts = done === null || done?.records === true;
  return (
    <Stack p="md">
      <Group justify="space-between">
        <PageTitle>{t('titles.overview')}</PageTitle>
        {hasCharts ? (
          <SegmentedControl
            aria-label={t('overview.range')}
            value={range}
            onChange={(chosen) => change({ range: chosen as SeriesRange })}
            data={seriesRanges.map((one) => ({ value: one, label: t(`overview.range${one}`) }))}
          />
        ) : null}
      </Group>
      {done === undefined ? <Skeleton h={480} /> : null}
      {done ? <NextSteps done={done} onHide={hide} /> : null}
      {hasCharts ? <Charts range={range} /> : null}
    </Stack>
  );
}

/** Charts of the installation's activity over time. */
function Charts({ range }: { readonly range: SeriesRange }) {
  const { data, error, refetch } = useQuery(seriesQuery(range));
  return (
    <>
      {error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null && <Skeleton h={480} />
      ) : (
        <>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            {charts.map((chart) => (
              <ChartPanel key={chart.title} chart={chart} series={data} />
            ))}
          </SimpleGrid>
          <FailingWebhooks webhooks={data.failingWebhooks} />
        </>
      )}
    </>
  );
}
