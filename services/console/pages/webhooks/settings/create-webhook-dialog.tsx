import { Autocomplete, Modal, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentProps, type FormEvent, useState } from 'react';
import { suggestEvents } from '../../../api/event-names.ts';
import { useMetadata } from '../../../api/metadata.ts';
import { useProblems } from '../../../api/problems.ts';
import { useUser } from '../../../api/session.ts';
import { createWebhook } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { DialogActions } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { type Settings, WebhookSettings } from './webhook-form.tsx';

export function CreateWebhookDialog(props: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The user that is selected first. */
  readonly user?: { readonly id: string; readonly name: string };
}) {
  const t = usePageText();
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={t('webhooks.new')} size="lg">
      <Form {...props} />
    </Modal>
  );
}

const noHeaders = {};

function Form({ onClose, user: owner }: ComponentProps<typeof CreateWebhookDialog>) {
  const t = usePageText();
  const metadata = useMetadata();
  const { user } = useUser();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [event, setEvent] = useState('');
  const [settings, setSettings] = useState<Settings>(
    owner === undefined ? {} : { userId: owner.id },
  );
  const [isTried, setTried] = useState(false);
  const creating = useMutation({
    mutationFn: () => createWebhook({ ...settings, event: event.trim(), url: settings.url ?? '' }),
    onSuccess: ({ id }) => {
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
      notifications.show({ message: t('webhooks.created') });
      void navigate({ to: '/webhooks/$id', params: { id } });
    },
  });
  const found = useProblems(useMetadata().get('Webhook'), creating.error);
  const isUserMissing = user.isAdmin && settings.userId === undefined;
  const missing = isTried && isUserMissing ? [['user', t('webhooks.userMissing')] as const] : [];
  const problems = new Map([...found, ...missing]);
  const submit = (submitted: FormEvent): void => {
    submitted.preventDefault();
    setTried(true);
    if (!isUserMissing) creating.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <ErrorAlert error={creating.error} />
        <Autocomplete
          label={t('webhooks.event')}
          description={t('webhooks.eventText')}
          data-autofocus
          openOnFocus={false}
          required
          value={event}
          error={problems.get('event')}
          onChange={setEvent}
          data={[...suggestEvents(metadata, event)]}
          filter={({ options }) => options}
        />
        <WebhookSettings
          values={settings}
          headers={noHeaders}
          userName={owner?.name}
          problems={problems}
          onChange={(values) => setSettings((before) => ({ ...before, ...values }))}
        />
        <DialogActions
          label={t('webhooks.create')}
          isPending={creating.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
