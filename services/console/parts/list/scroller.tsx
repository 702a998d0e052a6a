import type { ReactNode, Ref } from 'react';
import styles from './scroller.module.css';

/** What is wider than a narrow screen, to be scrolled sideways. */
export function Scroller(props: {
  readonly label: string;
  readonly ref?: Ref<HTMLElement>;
  readonly children: ReactNode;
}) {
  const { label, ref, children } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the keyboard
    <section ref={ref} className={styles['scroller']} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}
