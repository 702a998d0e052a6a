import { Alert, Button, Code, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageText } from '../../../language/page-text.ts';
import { ConfirmByName } from '../../../parts/confirm-by-name.tsx';
import { Copy } from '../../../parts/copy/copy.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import type { SignInProvider } from '../../../sign-in/single-sign-on.ts';
import { CopiedText } from './copied-text.tsx';
import { createScimToken, removeScimToken } from './providers.ts';

/** The address and the token with which a provider manages users and groups. */
export function ScimPanel({
  provider,
  origin,
}: {
  readonly provider: SignInProvider;
  readonly origin: string;
}) {
  const t = usePageText();
  const queries = useQueryClient();
  const [token, setToken] = useState<string>();
  const { id, name, hasScimToken } = provider;
  const update = (created: string | undefined) => {
    setToken(created);
    void queries.invalidateQueries({ queryKey: ['singleSignOn', 'settings'] });
  };
  const creating = useMutation({ mutationFn: createScimToken, onSuccess: update });
  return (
    <Stack>
      <Text size="sm">{t('scim.intro')}</Text>
      <Facts
        label={t('scim.facts')}
        facts={[
          [t('scim.base'), <CopiedText key="base" text={`${origin}/api/scim/v2`} />],
          [t('scim.token'), t(hasScimToken ? 'scim.hasToken' : 'scim.noToken')],
        ]}
      />
      {token === undefined ? null : <NewToken token={token} />}
      {creating.error === null ? null : <ErrorDetails error={creating.error} />}
      {hasScimToken ? (
        <Group>
          <ConfirmByName
            label={t('scim.replace')}
            title={t('scim.replaceTitle')}
            text={t('scim.replaceText')}
            name={name}
            act={async () => createScimToken(id)}
            onDone={update}
          />
          <ConfirmByName
            label={t('scim.remove')}
            title={t('scim.removeTitle')}
            text={t('scim.removeText')}
            name={name}
            act={async () => removeScimToken(id)}
            onDone={() => update(undefined)}
          />
        </Group>
      ) : (
        <Group>
          <Button
            variant="default"
            loading={creating.isPending}
            onClick={() => creating.mutate(id)}
          >
            {t('scim.create')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

/** Shows a new token. It cannot be retrieved later. */
function NewToken({ token }: { readonly token: string }) {
  const t = usePageText();
  const own = usePageText();
  return (
    <Alert color="yellow" title={t('people.copyNow')} role="status">
      <Stack gap="xs">
        <Text size="sm">{t('people.copyNowText')}</Text>
        <Group gap="xs">
          <Code className="field-value">{token}</Code>
          <Copy value={token} size="compact-xs" label={own('scim.token')} />
        </Group>
      </Stack>
    </Alert>
  );
}
