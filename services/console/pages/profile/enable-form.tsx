import { Alert, Code, Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { DialogActions } from '../../parts/dialog.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { CurrentPassword } from './password-form.tsx';
import {
  enableSecondFactor,
  newSecretQuery,
  replaceRecoveryCodes,
  secondFactorQuery,
} from './profile.ts';
import { QrCode } from './qr-code.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';

/**
 * Turns on the second factor: shows the secret for the authenticator, confirms it with a code, and shows recovery
 * codes.
 */
export function EnableForm({ onClose }: { readonly onClose: () => void }) {
  const queries = useQueryClient();
  const made = useQuery(newSecretQuery);
  const [codes, setCodes] = useState<readonly string[]>();
  useEffect(
    () => () => void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey }),
    [queries],
  );
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  if (made.data === undefined) return <Pending query={made} height={240} />;
  return <ConfirmForm {...made.data} onCodes={setCodes} onClose={close} />;
}

interface Props {
  readonly secret: string;
  readonly uri: string;
  readonly onCodes: (codes: readonly string[]) => void;
  readonly onClose: () => void;
}

function ConfirmForm({ secret, uri, onCodes, onClose }: Props) {
  const t = usePageText();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const enabling = useMutation({
    mutationFn: async () => {
      await enableSecondFactor({ password, secret, code: code.trim() });
      return replaceRecoveryCodes(password);
    },
    onSuccess: onCodes,
  });
  const isDisabled = password === '' || code.trim() === '';
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isDisabled) enabling.mutate();
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{t('profile.scanText')}</Text>
        <Group align="flex-start">
          <QrCode value={uri} label={t('profile.qrCode')} />
          <Stack gap="xs" flex={1} miw={220}>
            <Text size="sm">{t('profile.secretText')}</Text>
            <Code className="field-value">{secret}</Code>
            <Group>
              <Copy value={secret} size="compact-xs" label={t('profile.secret')} />
            </Group>
          </Stack>
        </Group>
        {enabling.error === null ? null : (
          <Alert color="red" role="alert">
            <ErrorDetails error={enabling.error} />
          </Alert>
        )}
        <CurrentPassword value={password} onChange={setPassword} />
        <TextInput
          label={t('signIn.code')}
          description={t('signIn.codeText')}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          value={code}
          onChange={({ currentTarget }) => setCode(currentTarget.value)}
        />
        <DialogActions
          label={t('profile.turnOn')}
          isDisabled={isDisabled}
          isPending={enabling.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
