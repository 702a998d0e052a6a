import { useQuery } from '@tanstack/react-query';
import type { ComponentProps } from 'react';
import { panelsQuery } from '../../api/records.ts';
import { ValuesForm } from '../../fields/values-form.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { PageSkeleton } from '../../parts/page/page-skeleton.tsx';

/** A form with every field that the user may set. */
export function RecordForm(props: Omit<ComponentProps<typeof ValuesForm>, 'extra' | 'panelsOf'>) {
  const panels = useQuery(panelsQuery(props.entity.name));
  if (panels.data === undefined) {
    return panels.error === null ? <PageSkeleton /> : <LoadError error={panels.error} />;
  }
  const { data } = panels;
  return <ValuesForm {...props} panelsOf={() => data} />;
}
