import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Time } from '../../parts/time.tsx';
import { authorizationUrl, providersQuery } from '../../sign-in/single-sign-on.ts';
import { SingleSignOnError } from '../../sign-in/single-sign-on-error.tsx';
import { PasswordForm } from './password-form.tsx';
import { linkedAccountsQuery, unlinkAccount } from './profile.ts';

/** The accounts at providers with which the user can sign in. Shows nothing if the installation has no provider. */
export function LinkedAccountsPanel() {
  const t = usePageText();
  const accounts = useQuery(linkedAccountsQuery);
  const { data: providers = [] } = useQuery(providersQuery);
  const [toConfirm, setToConfirm] = useState<string | null>(null);
  const linking = useMutation({
    mutationFn: async (id: string) => location.assign(await authorizationUrl(id, 'link')),
    onError: (error, id) => {
      if (lacksPassword(error)) setToConfirm(id);
    },
  });
  if (providers.length === 0 && (accounts.data?.length ?? 0) === 0) return null;
  return (
    <Panel title={t('singleSignOn.accounts')}>
      <Stack>
        <Hint>{t('singleSignOn.accountsText')}</Hint>
        {accounts.data === undefined ? (
          <Pending query={accounts} height={80} />
        ) : (
          <DataTable
            label={t('singleSignOn.accounts')}
            empty={<Text size="sm">{t('singleSignOn.noAccounts')}</Text>}
            rows={accounts.data}
            keyOf={({ id }) => id}
            columns={[
              { label: t('singleSignOn.account'), show: ({ accountName }) => accountName },
              { label: t('singleSignOn.issuer'), show: ({ issuer }) => issuer },
              {
                label: t('singleSignOn.linkedAt'),
                show: ({ linkedAt }) => <Time value={linkedAt} />,
              },
              {
                label: '',
                show: ({ id, accountName }) => <UnlinkButton id={id} name={accountName} />,
              },
            ]}
          />
        )}
        <Group>
          {providers.map(({ id, name }) => (
            <Button
              key={id}
              variant="default"
              loading={linking.isPending && linking.variables === id}
              onClick={() => linking.mutate(id)}
            >
              {t('singleSignOn.link', { name })}
            </Button>
          ))}
        </Group>
        <SingleSignOnError error={lacksPassword(linking.error) ? null : linking.error} />
        <ConfirmLink
          provider={providers.find(({ id }) => id === toConfirm)}
          onClose={() => setToConfirm(null)}
        />
      </Stack>
    </Panel>
  );
}

/** Users without a password are not asked for one. */
const lacksPassword = (error: unknown): boolean =>
  error instanceof ApiError && error.code === 'body.value_missing';

/** Asks for the password before the browser leaves for the provider. Closed without a provider. */
function ConfirmLink(props: {
  readonly provider: { readonly id: string; readonly name: string } | undefined;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const { id = '', name = '' } = props.provider ?? {};
  const title = t('singleSignOn.link', { name });
  return (
    <Modal opened={props.provider !== undefined} onClose={props.onClose} title={title}>
      <PasswordForm
        text={t('singleSignOn.confirmLink')}
        label={title}
        act={async (currentPassword) => authorizationUrl(id, 'link', { currentPassword })}
        onDone={(url) => location.assign(url)}
        onCancel={props.onClose}
      />
    </Modal>
  );
}

function UnlinkButton({ id, name }: { readonly id: string; readonly name: string }) {
  const t = usePageText();
  const queries = useQueryClient();
  const unlinking = useMutation({
    mutationFn: unlinkAccount,
    onSettled: async () => queries.invalidateQueries({ queryKey: linkedAccountsQuery.queryKey }),
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={unlinking.isPending}
      aria-label={`${t('singleSignOn.unlink')}: ${name}`}
      onClick={() => unlinking.mutate(id)}
    >
      {t('singleSignOn.unlink')}
    </Button>
  );
}
