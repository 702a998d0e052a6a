import { Button, Tooltip } from '@mantine/core';

/**
 * A button for an action that is currently impossible. Shows the reason on hover and on focus, unlike a disabled
 * button.
 */
export function DeniedButton(props: { readonly label: string; readonly reason: string }) {
  return (
    <Tooltip
      label={props.reason}
      multiline
      maw={320}
      events={{ hover: true, focus: true, touch: true }}
    >
      <Button
        variant="default"
        data-disabled
        aria-disabled="true"
        aria-description={props.reason}
        onClick={(event) => event.preventDefault()}
      >
        {props.label}
      </Button>
    </Tooltip>
  );
}
