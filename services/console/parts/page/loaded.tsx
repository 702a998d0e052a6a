import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadError } from './load-error.tsx';
import { PageSkeleton } from './page-skeleton.tsx';
import { PageTitle } from './page-title.tsx';

interface Query<Data> {
  readonly data: Data | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
}

/** Shows loaded data. Until then, shows a placeholder of the given height, or why the data cannot be loaded. */
export function Loaded<Data>(props: {
  readonly query: Query<Data>;
  readonly height: number;
  /** Also shows why the latest refresh failed, above the data loaded before. */
  readonly showsRefreshError?: boolean;
  readonly children: (data: Data) => ReactNode;
}) {
  const { query, height, showsRefreshError = false, children } = props;
  const { data, error, refetch } = query;
  const failure =
    error === null ? null : <LoadError error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return failure ?? <Skeleton h={height} />;
  return (
    <>
      {showsRefreshError ? failure : null}
      {children(data)}
    </>
  );
}

/** A page that is still loading or cannot be loaded. */
export function PendingPage(props: { readonly title: string; readonly query: Query<unknown> }) {
  const { error, refetch } = props.query;
  if (error === null) return <PageSkeleton />;
  return (
    <Stack p="md">
      <PageTitle>{props.title}</PageTitle>
      <LoadError error={error} onRetry={() => void refetch()} />
    </Stack>
  );
}
