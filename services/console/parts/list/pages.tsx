import { Pagination } from '@mantine/core';
import { useText } from '../../language/language.tsx';

const labels = { next: 'shell.nextPage', previous: 'shell.previousPage' } as const;

/** Leads through the pages of a list, the first of which is 0; nothing where there is one. */
export function Pages(props: {
  readonly count: number;
  readonly page: number;
  readonly onChange: (page: number) => void;
}) {
  const t = useText();
  if (props.count <= 1) return null;
  return (
    <Pagination
      total={props.count}
      value={props.page + 1}
      onChange={(chosen) => props.onChange(chosen - 1)}
      getControlProps={(control) =>
        control === 'next' || control === 'previous' ? { 'aria-label': t(labels[control]) } : {}
      }
    />
  );
}
