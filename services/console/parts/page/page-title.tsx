import { Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';

let isFirstPage = true;

/** The heading of a page, which gets the focus when the page opens: but for the first one, where the browser decides. */
export function PageTitle({
  children,
  documentTitle,
}: {
  readonly children: ReactNode;
  /** Where the heading is more than text. */
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
    <Title order={1} size="h2" tabIndex={-1} ref={heading}>
      {children}
    </Title>
  );
}
