import { Checkbox, NativeSelect, NumberInput, Textarea, TextInput } from '@mantine/core';
import type { WebhookValues } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';

export type Settings = Omit<Partial<WebhookValues>, 'event'>;

interface Props {
  readonly values: Settings;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Settings) => void;
}

/** What can be set of a webhook before and after it is made. */
export function WebhookSettings({ values, problems, onChange }: Props) {
  const t = useText();
  return (
    <>
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlText')}
        placeholder="https://"
        type="url"
        required
        value={values.url ?? ''}
        error={problems.get('url')}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <NativeSelect
        label={t('webhooks.payloadFormat')}
        value={values.payloadFormat ?? 'records'}
        onChange={({ currentTarget }) =>
          onChange({ payloadFormat: currentTarget.value as 'events' | 'records' })
        }
        data={[
          { value: 'records', label: t('webhooks.formatRecords') },
          { value: 'events', label: t('webhooks.formatEvents') },
        ]}
      />
      <NumberInput
        label={t('webhooks.batchSize')}
        min={1}
        max={50}
        value={values.batchSize ?? ''}
        error={problems.get('batchSize')}
        onChange={(size) => onChange({ batchSize: typeof size === 'number' ? size : null })}
      />
      <Checkbox
        label={t('webhooks.ordered')}
        checked={values.ordered ?? false}
        onChange={({ currentTarget }) => onChange({ ordered: currentTarget.checked })}
      />
      <Checkbox
        label={t('webhooks.skipOwn')}
        checked={values.skipOwn ?? false}
        onChange={({ currentTarget }) => onChange({ skipOwn: currentTarget.checked })}
      />
      <Textarea
        label={t('webhooks.description')}
        value={values.description ?? ''}
        onChange={({ currentTarget }) => onChange({ description: currentTarget.value })}
      />
    </>
  );
}
