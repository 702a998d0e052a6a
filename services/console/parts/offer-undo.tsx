import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Long enough to read it, and to reach the button with a keyboard; pointing at it keeps it there. */
const shownMs = 20_000;

/** Says what was done, with a button that takes it back. */
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
