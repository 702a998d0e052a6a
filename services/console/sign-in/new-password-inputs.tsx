import { PasswordInput } from '@mantine/core';
import type { GetInputPropsReturnType } from '@mantine/form';
import { usePageText } from '../language/page-text.ts';

interface Props {
  readonly getInputProps: (name: 'password' | 'repeated') => GetInputPropsReturnType;
  readonly autoFocus?: boolean;
}

/** The inputs for a new password, which has to be entered twice. */
export function NewPasswordInputs({ getInputProps, autoFocus = false }: Props) {
  const t = usePageText();
  const common = {
    autoComplete: 'new-password',
    visibilityToggleButtonProps: { 'aria-label': t('signIn.showPassword'), tabIndex: 0 },
  };
  return (
    <>
      <PasswordInput
        label={t('people.newPassword')}
        description={t('profile.newPasswordText')}
        autoFocus={autoFocus}
        {...common}
        {...getInputProps('password')}
      />
      <PasswordInput
        label={t('profile.repeatPassword')}
        {...common}
        {...getInputProps('repeated')}
      />
    </>
  );
}
