import type { ReactNode, Ref } from 'react';
import styles from './scroller.module.css';

/** Makes wide content scroll horizontally on narrow screens. */
export function Scroller(props: {
  readonly label: string;
  readonly ref?: Ref<HTMLElement>;
  readonly children: ReactNode;
}) {
  const { label, ref, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users have to be able to scroll it
    <section ref={ref} className={styles['scroller']} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
