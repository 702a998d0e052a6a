import { Skeleton, Stack } from '@mantine/core';
import { useText } from '../../language/language.tsx';

/** The placeholder of a page that is loading. */
export function PageSkeleton() {
  const t = useText();
  return (
    <Stack p="md" role="status" aria-busy="true" aria-label={t('parts.loading')}>
      <Skeleton h={32} w={220} />
      <Skeleton h={36} />
      <Skeleton h={320} />
    </Stack>
  );
}
