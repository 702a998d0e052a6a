import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Long enough to read the message and to reach the button with the keyboard. Hovering keeps the notification open. */
const shownMs = 20_000;

/** Shows a notification about a change, with a button that undoes it. */
export function offerUndo(offer: {
  readonly id: string;
  readonly message: string;
  readonly label: string;
  readonly undo: () => Promise<void>;
}): void {
  const { id, message, label, undo } = offer;
  notifications.show({
    id,
    autoClose: shownMs,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{message}</Text>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => {
            notifications.hide(id);
            void undo();
          }}
        >
          {label}
        </Button>
      </Group>
    ),
  });
}
