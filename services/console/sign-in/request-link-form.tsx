import { Alert, Button, Stack, Text, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { requestLink } from '../api/recovery.ts';
import { usePageText } from '../language/page-text.ts';
import { ErrorAlert } from '../parts/page/error-alert.tsx';

/** Requests an e-mail with a link for a new password. */
export function RequestLinkForm() {
  const t = usePageText();
  const required = (value: string) => (value.trim() === '' ? t('signIn.required') : null);
  const form = useForm({
    initialValues: { userName: '', emailAddress: '' },
    validate: { userName: required, emailAddress: required },
  });
  const requesting = useMutation({ mutationFn: requestLink });
  if (requesting.isSuccess) {
    return (
      <Alert color="green" variant="light" role="status">
        {t('signIn.linkRequested')}
      </Alert>
    );
  }
  return (
    <form
      onSubmit={form.onSubmit(({ userName, emailAddress }) =>
        requesting.mutate({ userName: userName.trim(), emailAddress: emailAddress.trim() }),
      )}
      noValidate
    >
      <Stack>
        <Text size="sm">{t('signIn.forgottenText')}</Text>
        <ErrorAlert error={requesting.error} />
        <TextInput
          label={t('signIn.userName')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          autoFocus
          {...form.getInputProps('userName')}
        />
        <TextInput
          label={t('profile.emailAddress')}
          type="email"
          autoComplete="email"
          {...form.getInputProps('emailAddress')}
        />
        <Button type="submit" loading={requesting.isPending}>
          {t('signIn.requestLink')}
        </Button>
      </Stack>
    </form>
  );
}
