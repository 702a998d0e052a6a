import { Checkbox, Fieldset, NativeSelect, PasswordInput, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useProblems } from '../../../api/problems.ts';
import { usePageText } from '../../../language/page-text.ts';
import { DialogActions } from '../../../parts/dialog.tsx';
import { inputsOf } from '../../../parts/inputs-of.ts';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import type { SignInProvider } from '../../../sign-in/single-sign-on.ts';
import { GroupInputs } from './group-inputs.tsx';
import { emptyDraft, type ProviderDraft, saveProvider, toDraft } from './providers.ts';

interface Part {
  readonly draft: ProviderDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (more: Partial<ProviderDraft>) => void;
}

/** Edits the settings of a provider, or adds one. */
export function ProviderForm({
  provider,
  onClose,
}: {
  readonly provider?: SignInProvider;
  readonly onClose: () => void;
}) {
  const t = usePageText();
  const queries = useQueryClient();
  const [draft, setDraft] = useState(provider === undefined ? emptyDraft : toDraft(provider));
  const saving = useMutation({
    mutationFn: (given: ProviderDraft) => saveProvider(provider?.id, given),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['singleSignOn'] });
      onClose();
    },
  });
  const problems = useProblems(undefined, saving.error);
  const part: Part = {
    draft,
    problems,
    onChange: (more) => setDraft({ ...draft, ...more }),
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        saving.mutate(draft);
      }}
    >
      <Stack>
        <ConnectionInputs {...part} hasSecret={provider?.hasClientSecret === true} />
        <UserInputs {...part} />
        <GroupInputs {...part} />
        {saving.error === null ? null : <ErrorDetails error={saving.error} />}
        <DialogActions
          label={t('singleSignOn.save')}
          isPending={saving.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function ConnectionInputs({
  draft,
  problems,
  onChange,
  hasSecret,
}: Part & { readonly hasSecret: boolean }) {
  const t = usePageText();
  const shared = usePageText();
  const { text, flag } = inputsOf(draft, onChange);
  return (
    <>
      <TextInput
        label={t('singleSignOn.name')}
        description={t('singleSignOn.nameText')}
        required
        data-autofocus
        error={problems.get('name')}
        {...text('name')}
      />
      <TextInput
        label={t('singleSignOn.issuer')}
        description={t('singleSignOn.issuerText')}
        type="url"
        required
        error={problems.get('issuer')}
        {...text('issuer')}
      />
      <TextInput
        label={t('singleSignOn.clientId')}
        required
        autoComplete="off"
        error={problems.get('clientId')}
        {...text('clientId')}
      />
      <NativeSelect
        label={t('singleSignOn.authentication')}
        data={[
          { value: 'client_secret_basic', label: t('singleSignOn.basic') },
          { value: 'client_secret_post', label: t('singleSignOn.post') },
          { value: 'none', label: t('singleSignOn.noSecret') },
        ]}
        {...text('clientAuthentication')}
      />
      {draft.clientAuthentication === 'none' ? null : (
        <PasswordInput
          label={t('singleSignOn.clientSecret')}
          {...(hasSecret ? { description: t('singleSignOn.secretKept') } : {})}
          autoComplete="new-password"
          visibilityToggleButtonProps={{ 'aria-label': shared('signIn.showPassword'), tabIndex: 0 }}
          error={problems.get('clientSecret')}
          {...text('clientSecret')}
        />
      )}
      <TextInput
        label={t('singleSignOn.scopes')}
        description={t('singleSignOn.scopesText')}
        value={draft.scopes.join(' ')}
        error={problems.get('scopes')}
        onChange={({ currentTarget }) => onChange({ scopes: currentTarget.value.split(' ') })}
        onBlur={() => onChange({ scopes: draft.scopes.filter((scope) => scope !== '') })}
      />
      <EndpointInputs draft={draft} problems={problems} onChange={onChange} />
      <Checkbox label={t('singleSignOn.isActive')} {...flag('isActive')} />
    </>
  );
}

const noEndpoints = { authorization: '', token: '', jwks: '', userInfo: null };

function EndpointInputs({ draft, problems, onChange }: Part) {
  const t = usePageText();
  const { endpoints } = draft;
  return (
    <>
      <Checkbox
        label={t('singleSignOn.byHand')}
        checked={endpoints !== null}
        onChange={({ currentTarget }) =>
          onChange({ endpoints: currentTarget.checked ? noEndpoints : null })
        }
      />
      {endpoints === null ? null : (
        <Stack>
          {(['authorization', 'token', 'jwks', 'userInfo'] as const).map((name) => (
            <TextInput
              key={name}
              label={t(`singleSignOn.${name}`)}
              type="url"
              required={name !== 'userInfo'}
              value={endpoints[name] ?? ''}
              error={problems.get(`endpoints.${name}`)}
              onChange={({ currentTarget: { value } }) =>
                onChange({
                  endpoints: {
                    ...endpoints,
                    [name]: name === 'userInfo' && value === '' ? null : value,
                  },
                })
              }
            />
          ))}
        </Stack>
      )}
    </>
  );
}

function UserInputs({ draft, problems, onChange }: Part) {
  const t = usePageText();
  const { text, flag } = inputsOf(draft, onChange);
  return (
    <Fieldset legend={t('singleSignOn.users')}>
      <Stack>
        <TextInput
          label={t('singleSignOn.userNameClaim')}
          required
          error={problems.get('userNameClaim')}
          {...text('userNameClaim')}
        />
        <Checkbox label={t('singleSignOn.createsUsers')} {...flag('createsUsers')} />
        <Checkbox
          label={t('singleSignOn.linksByUserName')}
          description={t('singleSignOn.linksText')}
          {...flag('linksByUserName')}
        />
        <Checkbox label={t('singleSignOn.syncsUser')} {...flag('syncsUser')} />
        <Checkbox
          label={t('singleSignOn.allowsAdministrators')}
          {...flag('allowsAdministrators')}
        />
      </Stack>
    </Fieldset>
  );
}
