import { Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import { DialogActions, DialogButton } from './dialog.tsx';
import { ErrorDetails } from './page/load-error.tsx';

interface Props<Result> {
  /** Label of both the button that opens the dialog and the button that confirms. */
  readonly label: string;
  readonly title: string;
  /** Describes what is lost. */
  readonly text: string;
  /** The name that the user has to type. */
  readonly name: string;
  readonly act: () => Promise<Result>;
  readonly onDone: (result: Result) => void;
  /** Distinguishes several such buttons on one page for screen readers. */
  readonly of?: string;
  readonly size?: 'compact-sm';
}

/** A button for an irreversible action: the user confirms it by typing a name. */
export function ConfirmByName<Result>(props: Props<Result>) {
  const { label, of, size } = props;
  const more = {
    ...(size === undefined ? {} : { size }),
    ...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` }),
  };
  return (
    <DialogButton variant="outline" color="red" label={label} title={props.title} {...more}>
      {(close) => <Question {...props} onClose={close} />}
    </DialogButton>
  );
}

function Question<Result>(props: Props<Result> & { readonly onClose: () => void }) {
  const t = useText();
  const { name, act, onDone, onClose } = props;
  const [typed, setTyped] = useState('');
  const acting = useMutation({
    mutationFn: act,
    onSuccess: (result) => {
      onClose();
      onDone(result);
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed === name) acting.mutate();
      }}
    >
      <Stack>
        <Text size="sm">{props.text}</Text>
        <TextInput
          label={t('parts.typeName', { name })}
          value={typed}
          data-autofocus
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {acting.error === null ? null : <ErrorDetails error={acting.error} />}
        <DialogActions
          label={props.label}
          color="red"
          isDisabled={typed !== name}
          isPending={acting.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
