import { Skeleton, Stack } from '@mantine/core';
import { LoadError } from './load-error.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { PageTitle } from './page-title.tsx';

interface Query {
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows a placeholder while data is loading, or why it cannot be loaded. */
export function Pending({ query, height }: { readonly query: Query; readonly height: number }) {
  if (query.error === null) return <Skeleton h={height} />;
  return <LoadError error={query.error} onRetry={() => void query.refetch()} />;
}

/** Like Pending, for a whole page. */
export function PendingPage({ query, title }: { readonly query: Query; readonly title: string }) {
  if (query.error === null) return <PageSkeleton />;
  return (
    <Stack p="md">
      <PageTitle>{title}</PageTitle>
      <LoadError error={query.error} onRetry={() => void query.refetch()} />
    </Stack>
  );
}
