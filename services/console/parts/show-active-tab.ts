/**
 * Keeps the active tab of a strip visible, which scrolls on narrow screens. The strip alone is scrolled, not the page.
 * Returns a function that stops this.
 */
export function showActiveTab(strip: HTMLElement | null): (() => void) | undefined {
  if (strip === null) return undefined;
  const show = (): void => {
    const tab = strip.querySelector('[role=tab][aria-selected=true]')?.getBoundingClientRect();
    if (tab === undefined) return;
    const { left, width } = strip.getBoundingClientRect();
    strip.scrollLeft += tab.left + tab.width / 2 - (left + width / 2);
  };
  show();
  // Tabs also change when the Back button is used, and when those of links are loaded. The Back button restores the
  // position that the strip had when the user left, so showing waits until that is done.
  const changes = new MutationObserver(() => requestAnimationFrame(show));
  changes.observe(strip, { subtree: true, childList: true, attributeFilter: ['aria-selected'] });
  return () => changes.disconnect();
}
