import { type ReactNode, useEffect, useRef } from 'react';

/**
 * Scrolls its children into view whenever `of` changes, so that users notice a result far from the button they pressed.
 */
export function InView({ of, children }: { readonly of: unknown; readonly children: ReactNode }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (of !== null && of !== undefined) place.current?.scrollIntoView({ block: 'center' });
  }, [of]);
  if (of === null || of === undefined) return null;
  return <div ref={place}>{children}</div>;
}
