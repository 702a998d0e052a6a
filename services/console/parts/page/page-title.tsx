import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

let isFirstPage = true;

/** The heading of a page. Receives focus when the page opens, unless it is the first page after loading. */
export function PageTitle({
  children,
  documentTitle,
}: {
  readonly children: ReactNode;
  /** Required if the heading is not plain text. */
  readonly documentTitle?: string;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const title = documentTitle ?? (typeof children === 'string' ? children : '');
  useEffect(() => {
    if (isFirstPage) isFirstPage = false;
    else heading.current?.focus();
  }, []);
  useEffect(() => {
    document.title = title === '' ? 'Annals' : `${title} · Annals`;
  }, [title]);
  return (
    <Title order={1} size="h2" miw={0} tabIndex={-1} ref={heading} className="wrapping">
      {children}
    </Title>
  );
}
