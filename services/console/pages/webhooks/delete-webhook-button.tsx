import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { removeWebhook, type Webhook } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';

/** Requires the user to type the event, because waiting deliveries are discarded with the webhook. */
export function DeleteWebhookButton({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    await navigate({ to: '/webhooks' });
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <ConfirmByName
      label={t('webhooks.delete')}
      title={t('webhooks.deleteTitle')}
      text={t('webhooks.deleteText')}
      name={webhook.event ?? ''}
      act={() => removeWebhook(webhook.id)}
      onDone={() => void leave()}
    />
  );
}
