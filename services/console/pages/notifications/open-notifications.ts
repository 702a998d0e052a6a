export const openNotificationsEvent = 'annals-notifications';

/** Opens the panel of the bell in the header. */
export function openNotifications(): void {
  window.dispatchEvent(new Event(openNotificationsEvent));
}
