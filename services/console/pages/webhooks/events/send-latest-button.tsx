import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { sendTest } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';

/** Sends the latest event of a webhook as a test, and opens its request and response. */
export function SendLatestButton(props: {
  readonly id: string;
  /** Distinguishes several such buttons on one page for screen readers. */
  readonly of?: string;
  readonly size?: 'compact-sm';
}) {
  const t = usePageText();
  const navigate = useNavigate();
  const { id, of, size } = props;
  const sending = useMutation({
    mutationFn: () => sendTest(id, { latest: true }),
    onSuccess: ({ deliveryId: delivery }) =>
      navigate({ to: '/webhooks/$id', params: { id }, search: { tab: 'deliveries', delivery } }),
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  const label = t('webhooks.sendLatest');
  return (
    <Button
      variant="default"
      {...(size === undefined ? {} : { size })}
      {...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` })}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {label}
    </Button>
  );
}
