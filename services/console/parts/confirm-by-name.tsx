import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from './page/load-error.tsx';

interface Props<Result> {
  /** Of the button that asks, and of the one that does it. */
  readonly label: string;
  readonly title: string;
  /** What is lost. */
  readonly text: string;
  /** Has to be typed. */
  readonly name: string;
  readonly act: () => Promise<Result>;
  readonly onDone: (result: Result) => void;
  /** What the button is about, where there are several. */
  readonly of?: string;
  readonly size?: 'compact-sm';
}

/** A button for what cannot be taken back: it asks for the name of what it is done to. */
export function ConfirmByName<Result>(props: Props<Result>) {
  const [isAsking, asking] = useDisclosure();
  const { label, of, size } = props;
  const more = {
    ...(size === undefined ? {} : { size }),
    ...(of === undefined ? {} : { 'aria-label': `${label}: ${of}` }),
  };
  return (
    <>
      <Button variant="default" onClick={asking.open} {...more}>
        {label}
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title={props.title}>
        <Question {...props} onClose={asking.close} />
      </Modal>
    </>
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
          label={t('shell.typeName', { name })}
          value={typed}
          data-autofocus
          autoComplete="off"
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        {acting.error === null ? null : <ErrorDetails error={acting.error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            {t('shell.cancel')}
          </Button>
          <Button type="submit" color="red" disabled={typed !== name} loading={acting.isPending}>
            {props.label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
