import { Button, Code, Group, Modal, Paper, Stack, Text, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { rotateSecret, type Webhook } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Copy } from '../../../parts/copy/copy.tsx';
import { DialogActions } from '../../../parts/dialog.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { Time } from '../../../parts/time.tsx';

/** Reveals and rotates the secret of a webhook. */
export function SecretPanel({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const [isShown, shown] = useDisclosure();
  const [isOpen, dialog] = useDisclosure();
  const { secretKey, standardSecret, previousSecretUntil } = webhook;
  return (
    <Paper withBorder p="md" component="section">
      <Title>{t('webhooks.secret')}</Title>
      <Stack gap="xs" mt="xs" align="flex-start">
        <Hint>{t('webhooks.secretText')}</Hint>
        {secretKey && isShown ? (
          <>
            <Secret label={t('webhooks.secret')} value={secretKey} />
            {standardSecret ? (
              <Secret label={t('webhooks.standardSecret')} value={standardSecret} />
            ) : null}
          </>
        ) : null}
        {previousSecretUntil ? (
          <Text size="sm">
            {t('webhooks.overlap')} <Time value={previousSecretUntil} />
          </Text>
        ) : null}
        <Group gap="xs">
          {secretKey ? (
            <Button variant="default" onClick={shown.toggle} aria-expanded={isShown}>
              {t(isShown ? 'webhooks.hideSecret' : 'webhooks.showSecret')}
            </Button>
          ) : null}
          <Button variant="default" onClick={dialog.open}>
            {t('webhooks.rotate')}
          </Button>
        </Group>
      </Stack>
      <RotateDialog id={webhook.id} isOpen={isOpen} onClose={dialog.close} onDone={shown.open} />
    </Paper>
  );
}

function Secret({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <Group gap="xs">
      <Text size="sm">{label}</Text>
      <Code className="field-value">{value}</Code>
      <Copy value={value} size="compact-xs" />
    </Group>
  );
}

function RotateDialog(props: {
  readonly id: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const t = usePageText();
  const queries = useQueryClient();
  const rotating = useMutation({
    mutationFn: () => rotateSecret(props.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ['webhooks', props.id] });
      notifications.show({ message: t('webhooks.rotated') });
      props.onClose();
      props.onDone();
    },
  });
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} title={t('webhooks.rotate')}>
      <Stack>
        <Text size="sm">{t('webhooks.rotateText')}</Text>
        {rotating.error === null ? null : <ErrorDetails error={rotating.error} />}
        <DialogActions
          label={t('webhooks.rotate')}
          isPending={rotating.isPending}
          onAct={() => rotating.mutate()}
          onCancel={props.onClose}
        />
      </Stack>
    </Modal>
  );
}
