import { Alert, Button, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { setPassword } from '../api/recovery.ts';
import { usePageText } from '../language/page-text.ts';
import { ErrorAlert } from '../parts/page/error-alert.tsx';
import { NewPasswordInputs } from './new-password-inputs.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

/** The page behind the link in an e-mail. The fragment of its address is the id of the request. */
export function ChangePasswordPage() {
  const t = usePageText();
  const form = useForm({
    initialValues: { password: '', repeated: '' },
    validate: {
      password: (value) => (value === '' ? t('signIn.required') : null),
      repeated: (value, { password }) => (value === password ? null : t('profile.passwordDiffers')),
    },
  });
  const changing = useMutation({ mutationFn: setPassword });
  if (changing.isSuccess) {
    return (
      <SignInFrame title={t('signIn.newPassword')}>
        <Alert color="green" variant="light" role="status">
          {t('profile.passwordChanged')}
        </Alert>
        {/* Loads the console again, which also shows that an earlier session has ended. */}
        <Button component="a" href="/">
          {t('signIn.toSignIn')}
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t('signIn.newPassword')}>
      <form
        onSubmit={form.onSubmit(({ password }) =>
          changing.mutate({ requestId: location.hash.slice(1), password }),
        )}
        noValidate
      >
        <Stack>
          <ErrorAlert error={changing.error} />
          <NewPasswordInputs getInputProps={form.getInputProps} autoFocus />
          <Button type="submit" loading={changing.isPending}>
            {t('profile.changePassword')}
          </Button>
        </Stack>
      </form>
    </SignInFrame>
  );
}
