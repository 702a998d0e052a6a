import { Notifications } from '@mantine/notifications';

/** Shows the short messages that any page sends. Messages that were sent earlier appear once this is loaded. */
export function Toasts() {
  return <Notifications position="bottom-right" />;
}
