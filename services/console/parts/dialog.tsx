import { Button, type ButtonProps, Group, Modal } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { useText } from '../language/language.tsx';

/** A button that opens a dialog. `children` receives the function that closes it. */
export function DialogButton({
  label,
  title,
  dialogSize = 'md',
  tooltip,
  children,
  ...button
}: Omit<ButtonProps, 'children'> & {
  readonly label: string;
  readonly title: string;
  readonly dialogSize?: 'lg' | 'md' | 'xl';
  /** Shows the label of a button that has only an icon. */
  readonly tooltip?: string;
  readonly 'aria-label'?: string;
  readonly children: (close: () => void) => ReactNode;
}) {
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button variant="default" title={tooltip} {...button} onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} size={dialogSize} title={title}>
        {children(dialog.close)}
      </Modal>
    </>
  );
}

/**
 * The buttons at the end of a dialog: cancel, and the action. In a form, the action submits it. They stay visible while a
 * long dialog scrolls.
 */
export function DialogActions(props: {
  readonly label: string;
  readonly isPending: boolean;
  readonly isDisabled?: boolean;
  readonly color?: 'red';
  readonly onCancel: () => void;
  /** Absent in a form. */
  readonly onAct?: () => void;
}) {
  const t = useText();
  const { label, isPending, isDisabled = false, color, onCancel, onAct } = props;
  return (
    <Group justify="flex-end" className="dialog-actions">
      <Button variant="default" onClick={onCancel}>
        {t('parts.cancel')}
      </Button>
      <Button
        {...(color && { color })}
        type={onAct === undefined ? 'submit' : 'button'}
        disabled={isDisabled}
        loading={isPending}
        onClick={onAct}
      >
        {label}
      </Button>
    </Group>
  );
}
