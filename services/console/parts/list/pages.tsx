import { Pagination } from '@mantine/core';
import { useText } from '../../language/language.tsx';

const labels = { next: 'parts.nextPage', previous: 'parts.previousPage' } as const;

/** Buttons for the next and previous page of a list. Pages are numbered from 0. Shows nothing for a single page. */
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
