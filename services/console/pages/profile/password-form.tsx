import { Alert, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageText } from '../../language/page-text.ts';
import { DialogActions } from '../../parts/dialog.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';

/** The content of a dialog that confirms an action with the user's password. */
export function PasswordForm<Result>(props: {
  readonly text: string;
  readonly label: string;
  readonly color?: 'red';
  readonly act: (password: string) => Promise<Result>;
  readonly onDone: (result: Result) => void;
  readonly onCancel: () => void;
}) {
  const [password, setPassword] = useState('');
  const acting = useMutation({ mutationFn: props.act, onSuccess: props.onDone });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (password !== '') acting.mutate(password);
      }}
    >
      <Stack>
        <Text size="sm">{props.text}</Text>
        {acting.error === null ? null : (
          <Alert color="red" role="alert">
            <ErrorDetails error={acting.error} />
          </Alert>
        )}
        <CurrentPassword value={password} onChange={setPassword} />
        <DialogActions
          label={props.label}
          {...(props.color && { color: props.color })}
          isDisabled={password === ''}
          isPending={acting.isPending}
          onCancel={props.onCancel}
        />
      </Stack>
    </form>
  );
}

export function CurrentPassword(props: {
  readonly value: string;
  readonly onChange: (password: string) => void;
}) {
  const t = usePageText();
  return (
    <PasswordInput
      label={t('profile.currentPassword')}
      autoComplete="current-password"
      data-autofocus
      visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword'), tabIndex: 0 }}
      value={props.value}
      onChange={({ currentTarget }) => props.onChange(currentTarget.value)}
    />
  );
}
