import type { StartedContext } from '../context.ts';

/** Reports the length of the mail queue. */
export function measureQueue({ clock, directory, metrics }: StartedContext): void {
  const queued = () => directory.emails.recent().filter(({ status }) => status === 'queued');
  metrics.read('annals_mail_queued_emails', () => queued().length);
  metrics.read('annals_mail_oldest_queued_seconds', () => {
    const [oldest] = queued();
    return oldest === undefined ? 0 : Math.max(0, clock.now() - oldest.queuedAtMs) / 1000;
  });
}
