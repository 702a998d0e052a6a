import { Alert, Badge, Loader, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Condition, listQuery } from '../../../api/records.ts';
import type { Webhook } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';

/** Value of the option for no user. It cannot be a user id. */
const noUser = '$none';
const typingPauseMs = 250;
const apiUsers: readonly Condition[] = [
  { type: 'equals', attribute: 'type', value: 'api' },
  { type: 'isTrue', attribute: 'isActive' },
];

interface Props {
  /** Null if no user was chosen explicitly; undefined before a choice. */
  readonly userId: string | null | undefined;
  readonly userName?: string | null | undefined;
  readonly error: string | undefined;
  readonly onChange: (userId: string | null) => void;
}

/** Selects the API user whose roles limit the data that a webhook sends. */
export function WebhookUserSelect({ userId, userName, error, onChange }: Props) {
  const t = usePageText();
  const [typed, setTyped] = useState('');
  const none = { value: noUser, label: t('webhooks.noUser') };
  const current = userId ? [{ value: userId, label: userName || userId }] : [];
  const { options, isFetching } = useApiUsers(typed, current);
  return (
    <>
      <Select
        label={t('webhooks.user')}
        description={t('webhooks.userText')}
        required
        searchable
        placeholder={t('forms.pick')}
        data={[...options, none]}
        value={userId === null ? noUser : (userId ?? null)}
        error={error}
        searchValue={typed}
        onSearchChange={setTyped}
        filter={(found) => found.options}
        rightSection={isFetching ? <Loader size={14} /> : undefined}
        onChange={(value) => {
          if (value !== null) onChange(value === noUser ? null : value);
        }}
      />
      {userId === null ? (
        <Alert color="red" title={t('webhooks.noUser')}>
          {t('webhooks.noUserText')}
        </Alert>
      ) : null}
    </>
  );
}

interface Option {
  readonly value: string;
  readonly label: string;
}

/** Returns the current API user, followed by the active API users that match the typed text. */
function useApiUsers(typed: string, current: readonly Option[]) {
  const t = usePageText();
  const [settled] = useDebouncedValue(typed, typingPauseMs);
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set([t('webhooks.noUser')]));
  const search = {
    entity: 'User',
    select: ['userName'],
    orderBy: 'userName',
    order: 'asc',
    // The text of a chosen option must not filter the list.
    textFilter: known.has(settled) ? '' : settled.trim(),
    where: apiUsers,
  } as const;
  const { data, isFetching } = useQuery({
    ...listQuery(search, 0),
    placeholderData: keepPreviousData,
  });
  const found = (data?.list ?? []).map(({ id, userName }) => ({
    value: id,
    label: String(userName ?? id),
  }));
  const labels = [...current, ...found].map(({ label }) => label);
  if (labels.some((label) => !known.has(label))) setKnown(new Set([...known, ...labels]));
  const others = current.filter(({ value }) => !found.some((one) => one.value === value));
  return { options: [...others, ...found], isFetching };
}

/** Warns that a webhook sends all data. */
export function NoUserBadge() {
  const t = usePageText();
  return (
    <Badge color="red" variant="light">
      {t('webhooks.noUser')}
    </Badge>
  );
}

/** The API user of a webhook, or a warning that it sends all data. */
export function WebhookUser({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const { userId, userName } = webhook;
  if (!userId) return <NoUserBadge />;
  return (
    <Hint>
      {t('webhooks.user')}: {userName || userId}
    </Hint>
  );
}
