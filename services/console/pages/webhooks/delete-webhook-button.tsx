import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { removeWebhook, type Webhook } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/load-error.tsx';

/** Asks for the event, since what waits is gone with the webhook. */
export function DeleteWebhookButton({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const [isAsking, asking] = useDisclosure();
  const [typed, setTyped] = useState('');
  const event = webhook.event ?? '';
  const removing = useMutation({
    mutationFn: () => removeWebhook(webhook.id),
    onSuccess: async () => {
      await navigate({ to: '/webhooks' });
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <>
      <Button variant="default" onClick={asking.open}>
        {t('webhooks.delete')}
      </Button>
      <Modal opened={isAsking} onClose={asking.close} title={t('webhooks.deleteTitle')}>
        <Stack>
          <Text size="sm">{t('webhooks.deleteText', { event })}</Text>
          <TextInput
            label={t('webhooks.deleteConfirm')}
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
          {removing.error === null ? null : <ErrorDetails error={removing.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={asking.close}>
              {t('webhooks.cancel')}
            </Button>
            <Button
              color="red"
              disabled={typed !== event}
              loading={removing.isPending}
              onClick={() => removing.mutate()}
            >
              {t('webhooks.delete')}
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}
