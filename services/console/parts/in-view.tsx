import { type ReactNode, useEffect, useRef } from 'react';

/** Scrolls to what it holds whenever there is something new to be said: whoever pressed a button far below sees it. */
export function InView({ of, children }: { readonly of: unknown; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== null && of !== undefined) place.current?.scrollIntoView({ block: 'center' });
  }, [of]);
  if (of === null || of === undefined) return null;
  return <div ref={place}>{children}</div>;
}
