import { Alert, Button, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { type AppUser, type Rejection, type SignInResult, signIn } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { ErrorDetails } from '../parts/page/load-error.tsx';

interface Props {
  /** The user whose session has ended. */
  readonly userName?: string;
  readonly onDone: (user: AppUser) => void;
}

type Problem = Exclude<SignInResult, { readonly kind: 'done' }>;

/** Requests the user name and password, then an authenticator code if the user has two-factor authentication. */
export function SignInForm({ userName = '', onDone }: Props) {
  const t = useText();
  const [problem, setProblem] = useState<Problem>();
  const [isBusy, setBusy] = useState(false);
  const [wantsCode, setWantsCode] = useState(false);
  const [isRecovery, setRecovery] = useState(false);
  const required = (value: string) => (value === '' ? t('signIn.required') : null);
  const form = useForm({
    initialValues: { userName, password: '', code: '' },
    validate: {
      userName: required,
      password: required,
      code: (value) => (wantsCode ? required(value) : null),
    },
  });

  const switchCode = (): void => {
    setRecovery(!isRecovery);
    setProblem(undefined);
    form.setFieldValue('code', '');
  };

  async function submit({ code, ...login }: typeof form.values): Promise<void> {
    setBusy(true);
    const result = await signIn(wantsCode ? { ...login, code: code.trim() } : login);
    setBusy(false);
    if (result.kind === 'done') {
      onDone(result.user);
    } else if (result.kind === 'rejected' && result.reason === 'codeRequired') {
      setWantsCode(true);
      setProblem(undefined);
    } else {
      setProblem(result);
    }
  }

  return (
    <form onSubmit={form.onSubmit(submit)} noValidate>
      <Stack>
        {problem === undefined ? null : <SignInProblem problem={problem} />}
        {wantsCode ? (
          <CodeInput
            key={String(isRecovery)}
            isRecovery={isRecovery}
            inputProps={form.getInputProps('code')}
          />
        ) : (
          <LoginInputs form={form} isUserKnown={userName !== ''} />
        )}
        <Button type="submit" loading={isBusy}>
          {t('signIn.submit')}
        </Button>
        {wantsCode ? (
          <Button variant="subtle" onClick={switchCode}>
            {t(isRecovery ? 'signIn.useCode' : 'signIn.useRecovery')}
          </Button>
        ) : null}
        {wantsCode ? (
          <Button variant="subtle" onClick={() => setWantsCode(false)}>
            {t('signIn.back')}
          </Button>
        ) : null}
      </Stack>
    </form>
  );
}

function LoginInputs({
  form,
  isUserKnown,
}: {
  readonly form: { getInputProps(path: 'userName' | 'password'): object };
  readonly isUserKnown: boolean;
}) {
  const t = useText();
  return (
    <>
      <TextInput
        label={t('signIn.userName')}
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        data-autofocus={!isUserKnown || undefined}
        autoFocus={!isUserKnown}
        {...form.getInputProps('userName')}
      />
      <PasswordInput
        label={t('signIn.password')}
        autoComplete="current-password"
        data-autofocus={isUserKnown || undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword'), tabIndex: 0 }}
        {...form.getInputProps('password')}
      />
    </>
  );
}

function CodeInput(props: { readonly isRecovery: boolean; readonly inputProps: object }) {
  const t = useText();
  const { isRecovery, inputProps } = props;
  if (isRecovery) {
    return (
      <TextInput
        label={t('signIn.recoveryCode')}
        description={t('signIn.recoveryText')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={20}
        autoFocus
        {...inputProps}
      />
    );
  }
  return (
    <TextInput
      label={t('signIn.code')}
      description={t('signIn.codeText')}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      autoFocus
      {...inputProps}
    />
  );
}

const texts = {
  codeLimited: 'signIn.codeLimited',
  codeRequired: 'signIn.code',
  codeWrong: 'signIn.codeWrong',
  inactive: 'signIn.inactive',
  limited: 'signIn.limited',
  wrong: 'signIn.wrong',
} as const satisfies Readonly<Record<Rejection, string>>;

function SignInProblem({ problem }: { readonly problem: Problem }) {
  const t = useText();
  return (
    <Alert color="red" variant="light" role="alert">
      {problem.kind === 'rejected' ? (
        <Text size="sm">{t(texts[problem.reason])}</Text>
      ) : (
        <ErrorDetails error={problem.error} />
      )}
    </Alert>
  );
}
