import { Alert, Button, Group, PasswordInput, Stack } from '@mantine/core';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { useUser } from '../../api/session.ts';
import { codeText } from '../../language/error-text.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { NewPasswordInputs } from '../../sign-in/new-password-inputs.tsx';
import { changePassword } from './profile.ts';

const emptyForm = { currentPassword: '', password: '', repeated: '' };

const inputsByCode: Readonly<Record<string, keyof typeof emptyForm>> = {
  'password.wrong': 'currentPassword',
  'password.weak': 'password',
};

/** Changes the user's own password. */
export function PasswordPanel() {
  const t = usePageText();
  const queries = useQueryClient();
  const { user } = useUser();
  const form = useForm({
    initialValues: emptyForm,
    validate: {
      currentPassword: (value) => (value === '' ? t('signIn.required') : null),
      password: (value) => (value === '' ? t('signIn.required') : null),
      repeated: (value, { password }) => (value === password ? null : t('profile.passwordDiffers')),
    },
  });
  const changing = useMutation({
    mutationFn: changePassword,
    onSuccess: async () => {
      form.reset();
      notifications.show({ message: t('profile.passwordChanged') });
      // The change has ended all other sessions.
      await queries.invalidateQueries({ queryKey: ['profile'] });
    },
    onError: (error) => {
      const input = error instanceof ApiError ? inputsByCode[error.code] : undefined;
      if (input !== undefined) form.setFieldError(input, codeText((error as ApiError).code, t));
    },
  });
  const { error } = changing;
  const isShownAtInput = error instanceof ApiError && error.code in inputsByCode;
  const showPassword = { 'aria-label': t('signIn.showPassword'), tabIndex: 0 };
  return (
    <Panel title={t('people.password')}>
      <form
        onSubmit={form.onSubmit(({ currentPassword, password }) =>
          changing.mutate({ currentPassword, password }),
        )}
        noValidate
      >
        <Stack maw={400}>
          <Hint>{t('profile.passwordText')}</Hint>
          {error === null || isShownAtInput ? null : (
            <Alert color="red" role="alert">
              <ErrorDetails error={error} />
            </Alert>
          )}
          {/* Password managers use it to find the entry that they have to update. */}
          <input type="text" autoComplete="username" value={user.userName} readOnly hidden />
          <PasswordInput
            label={t('profile.currentPassword')}
            autoComplete="current-password"
            visibilityToggleButtonProps={showPassword}
            {...form.getInputProps('currentPassword')}
          />
          <NewPasswordInputs getInputProps={form.getInputProps} />
          <Group>
            <Button type="submit" loading={changing.isPending}>
              {t('profile.changePassword')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Panel>
  );
}
