import { Button, Group, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { usePageText } from '../../language/page-text.ts';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A dialog that closes only with its buttons or Escape, because a click outside would discard the input. */
export function FormDialog({ isOpen, title, onClose, children }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title={title} size="lg" closeOnClickOutside={false}>
      {children}
    </Modal>
  );
}

interface FormProps {
  /** The mutation that saves the form. */
  readonly saving: {
    readonly error: unknown;
    readonly isPending: boolean;
    readonly mutate: () => void;
  };
  readonly onCancel?: () => void;
  readonly isUnchanged?: boolean;
  readonly children: ReactNode;
}

/** A form with inputs, the server's errors, and buttons. */
export function DefinitionForm(props: FormProps) {
  const t = usePageText();
  const { saving } = props;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate();
      }}
    >
      <Stack>
        {props.children}
        <ErrorAlert error={saving.error} />
        <Group className="dialog-actions">
          <Button type="submit" disabled={props.isUnchanged === true} loading={saving.isPending}>
            {t('parts.save')}
          </Button>
          {props.onCancel === undefined ? null : (
            <Button variant="default" onClick={props.onCancel}>
              {t('parts.cancel')}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}

/** Changes the data model, and then invalidates all loaded data. */
export function useDefinitionChange<Input = void, Result = unknown>(
  act: (input: Input) => Promise<Result>,
  onDone?: (input: Input, result: Result) => void,
) {
  const t = usePageText();
  const reload = useReload();
  return useMutation({
    mutationFn: act,
    onSuccess: async (result, input) => {
      await reload();
      notifications.show({ message: t('parts.saved') });
      onDone?.(input, result);
    },
  });
}

export function useReload(): () => Promise<void> {
  const queries = useQueryClient();
  return () =>
    queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
}
