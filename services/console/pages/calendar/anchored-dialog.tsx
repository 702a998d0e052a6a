import { Popover } from '@mantine/core';
import type { ReactNode } from 'react';

/** A small dialog next to a place of the window. */
export function AnchoredDialog(props: {
  readonly label: string;
  readonly place: DOMRect;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const { left, top, width, height } = props.place;
  return (
    <Popover
      opened
      onDismiss={props.onClose}
      position="right-start"
      middlewares={{ flip: { fallbackAxisSideDirection: 'end' }, shift: { padding: 8 } }}
      shadow="md"
      trapFocus
      withRoles={false}
    >
      <Popover.Target>
        <div style={{ position: 'fixed', pointerEvents: 'none', left, top, width, height }} />
      </Popover.Target>
      <Popover.Dropdown role="dialog" aria-label={props.label} w={340} maw="calc(100vw - 1rem)">
        {props.children}
      </Popover.Dropdown>
    </Popover>
  );
}
