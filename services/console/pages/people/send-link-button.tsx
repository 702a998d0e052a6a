import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { AnyRecord } from '../../api/records.ts';
import { isMailOnQuery, sendLink } from '../../api/recovery.ts';
import { useUser } from '../../api/session.ts';
import { usePageText } from '../../language/page-text.ts';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

/** Sends an active user a link for a new password. For administrators, if the installation sends e-mail. */
export function SendLinkButton({ user }: { readonly user: AnyRecord }) {
  const t = usePageText();
  const { isAdmin } = useUser().user;
  const { data: isMailOn = false } = useQuery({ ...isMailOnQuery, enabled: isAdmin });
  const sending = useMutation({
    mutationFn: () => sendLink(user.id),
    onSuccess: () => notifications.show({ message: t('people.linkSent') }),
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
  const hasPassword = user['type'] === 'regular' || user['type'] === 'admin';
  const hasAddress = typeof user['emailAddress'] === 'string' && user['emailAddress'] !== '';
  if (!isAdmin || !isMailOn || !hasPassword || !hasAddress || user['isActive'] !== true) {
    return null;
  }
  return (
    <Button variant="default" loading={sending.isPending} onClick={() => sending.mutate()}>
      {t('people.sendLink')}
    </Button>
  );
}
