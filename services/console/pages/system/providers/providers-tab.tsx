import { Badge, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { usePageText } from '../../../language/page-text.ts';
import { ConfirmByName } from '../../../parts/confirm-by-name.tsx';
import { DialogButton } from '../../../parts/dialog.tsx';
import { Facts } from '../../../parts/facts.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { authorizationUrl, type SignInProvider } from '../../../sign-in/single-sign-on.ts';
import { SingleSignOnError } from '../../../sign-in/single-sign-on-error.tsx';
import { CopiedText } from './copied-text.tsx';
import { ProviderForm } from './provider-form.tsx';
import {
  passwordSignInQuery,
  providerSettingsQuery,
  removeProvider,
  savePasswordSignIn,
} from './providers.ts';
import { ScimPanel } from './scim-panel.tsx';

/** The providers for single sign-on, for administrators. */
export function ProvidersTab() {
  const t = usePageText();
  const settings = useQuery(providerSettingsQuery);
  if (settings.data === undefined) return <Pending query={settings} height={320} />;
  const { list, redirectUri } = settings.data;
  const { origin } = new URL(redirectUri);
  return (
    <Stack>
      <Text size="sm">{t('singleSignOn.intro')}</Text>
      <Facts
        label={t('singleSignOn.redirectUriText')}
        facts={[
          [t('singleSignOn.redirectUri'), <CopiedText key="redirect" text={redirectUri} />],
          [
            t('singleSignOn.logoutUri'),
            <CopiedText key="logout" text={`${origin}/api/v1/Oidc/backchannelLogout`} />,
          ],
        ]}
      />
      <DataTable
        label={t('singleSignOn.title')}
        empty={<Empty title={t('singleSignOn.none')} text={t('singleSignOn.noneText')} />}
        rows={list}
        keyOf={({ id }) => id}
        columns={[
          { label: t('singleSignOn.name'), show: ({ name }) => name },
          { label: t('singleSignOn.issuer'), show: ({ issuer }) => issuer },
          {
            label: t('singleSignOn.state'),
            show: ({ isActive }) => (
              <Badge color={isActive ? 'green' : 'gray'}>
                {t(isActive ? 'singleSignOn.on' : 'singleSignOn.off')}
              </Badge>
            ),
          },
          {
            label: '',
            show: (provider) => <ProviderActions provider={provider} origin={origin} />,
          },
        ]}
      />
      <Group>
        <DialogButton label={t('singleSignOn.add')} title={t('singleSignOn.add')} dialogSize="lg">
          {(close) => <ProviderForm onClose={close} />}
        </DialogButton>
      </Group>
      <PasswordSwitch />
    </Stack>
  );
}

function ProviderActions({
  provider,
  origin,
}: {
  readonly provider: SignInProvider;
  readonly origin: string;
}) {
  const t = usePageText();
  const scim = usePageText();
  const queries = useQueryClient();
  const { id, name } = provider;
  const testing = useMutation({
    mutationFn: async () => location.assign(await authorizationUrl(id, 'test')),
    onError: (error) =>
      notifications.show({ color: 'red', message: <SingleSignOnError error={error} /> }),
  });
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        variant="default"
        size="compact-sm"
        title={t('singleSignOn.testText')}
        aria-label={`${t('singleSignOn.test')}: ${name}`}
        loading={testing.isPending}
        onClick={() => testing.mutate()}
      >
        {t('singleSignOn.test')}
      </Button>
      <DialogButton
        label={t('singleSignOn.edit')}
        title={name}
        dialogSize="lg"
        size="compact-sm"
        aria-label={`${t('singleSignOn.edit')}: ${name}`}
      >
        {(close) => <ProviderForm provider={provider} onClose={close} />}
      </DialogButton>
      <DialogButton
        label={scim('scim.title')}
        title={scim('scim.of', { name })}
        size="compact-sm"
        aria-label={scim('scim.of', { name })}
      >
        {() => <ScimPanel provider={provider} origin={origin} />}
      </DialogButton>
      <ConfirmByName
        label={t('singleSignOn.remove')}
        title={t('singleSignOn.removeTitle')}
        text={t('singleSignOn.removeText')}
        name={name}
        of={name}
        size="compact-sm"
        act={() => removeProvider(id)}
        onDone={() => void queries.invalidateQueries({ queryKey: ['singleSignOn'] })}
      />
    </Group>
  );
}

/** Whether other users than administrators may sign in with a password. */
function PasswordSwitch() {
  const t = usePageText();
  const shared = usePageText();
  const queries = useQueryClient();
  const { data } = useQuery(passwordSignInQuery);
  const saving = useMutation({
    mutationFn: savePasswordSignIn,
    onSuccess: () => notifications.show({ message: shared('parts.saved') }),
    onError: (error) =>
      notifications.show({ color: 'red', message: <SingleSignOnError error={error} /> }),
    onSettled: async () => queries.invalidateQueries({ queryKey: passwordSignInQuery.queryKey }),
  });
  return (
    <Checkbox
      label={t('singleSignOn.passwords')}
      description={t('singleSignOn.passwordsText')}
      disabled={data === undefined || saving.isPending}
      checked={data === 'administrators'}
      onChange={({ currentTarget }) => saving.mutate(!currentTarget.checked)}
    />
  );
}
