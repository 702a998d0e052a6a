import { Checkbox, NativeSelect, NumberInput, Text, Textarea, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useMetadata } from '../../../api/metadata.ts';
import { useUser } from '../../../api/session.ts';
import { urlVerdictQuery, type WebhookValues } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { inputsOf } from '../../../parts/inputs-of.ts';
import { HeadersInput } from './headers-input.tsx';
import { WebhookUserSelect } from './webhook-user.tsx';

export type Settings = Omit<Partial<WebhookValues>, 'event'>;

interface Props {
  readonly values: Settings;
  /** The headers before the first change. */
  readonly headers: NonNullable<WebhookValues['headers']>;
  /** The name of the current API user. */
  readonly userName?: string | null | undefined;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (values: Settings) => void;
}

/** Inputs for the settings of a new or existing webhook. */
export function WebhookSettings({ values, headers, userName, problems, onChange }: Props) {
  const t = usePageText();
  const { user } = useUser();
  const url = values.url ?? '';
  const { text, flag } = inputsOf(values, onChange);
  const check = useUrlCheck(url);
  return (
    <>
      <TextInput
        label={t('webhooks.url')}
        description={t('webhooks.urlText')}
        placeholder="https://"
        type="url"
        required
        value={url}
        error={check.verdict?.problems[0]?.message ?? problems.get('url')}
        onChange={({ currentTarget }) => onChange({ url: currentTarget.value })}
      />
      <UrlVerdict check={check} url={url} />
      {user.isAdmin ? (
        <WebhookUserSelect
          userId={values.userId}
          userName={userName}
          error={problems.get('user') ?? problems.get('userId')}
          onChange={(userId) => onChange({ userId })}
        />
      ) : null}
      <FormatSelects values={values} onChange={onChange} />
      <NumberInput
        label={t('webhooks.batchSize')}
        min={1}
        max={50}
        value={values.batchSize ?? ''}
        error={problems.get('batchSize')}
        onChange={(size) => onChange({ batchSize: typeof size === 'number' ? size : null })}
      />
      <Checkbox label={t('webhooks.ordered')} {...flag('ordered')} />
      <Checkbox label={t('webhooks.skipOwn')} {...flag('skipOwn')} />
      <HeadersInput
        // Their values are not shown again after they have been stored.
        key={JSON.stringify(headers)}
        initial={headers}
        error={problems.get('headers')}
        onChange={(changed) => onChange({ headers: changed })}
      />
      <Textarea
        label={t('webhooks.description')}
        description={t('webhooks.descriptionText')}
        {...text('description')}
      />
    </>
  );
}

/** The inputs for the format of the payload and of the header `X-Signature`. */
function FormatSelects({ values, onChange }: Pick<Props, 'onChange' | 'values'>) {
  const t = usePageText();
  const fields = useMetadata().get('Webhook')?.fields ?? {};
  const labels: Readonly<Record<string, string>> = {
    records: t('webhooks.formatRecords'),
    events: t('webhooks.formatEvents'),
    base64: t('webhooks.signatureBase64'),
    prefixed: t('webhooks.signaturePrefixed'),
  };
  const optionsOf = (field: string) =>
    (fields[field]?.options ?? []).map((value) => ({ value, label: labels[value] ?? value }));
  return (
    <>
      <NativeSelect
        label={t('webhooks.payloadFormat')}
        value={values.payloadFormat ?? 'records'}
        onChange={({ currentTarget }) =>
          onChange({ payloadFormat: currentTarget.value as NonNullable<Settings['payloadFormat']> })
        }
        data={optionsOf('payloadFormat')}
      />
      <NativeSelect
        label={t('webhooks.signatureFormat')}
        description={t('webhooks.signatureFormatText')}
        value={values.xSignatureFormat ?? 'base64'}
        onChange={({ currentTarget }) =>
          onChange({
            xSignatureFormat: currentTarget.value as NonNullable<Settings['xSignatureFormat']>,
          })
        }
        data={optionsOf('xSignatureFormat')}
      />
    </>
  );
}

const settleMs = 400;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Validates a URL on the server while the user types, without creating anything. */
function useUrlCheck(url: string) {
  const [settled] = useDebouncedValue(url.trim(), settleMs);
  const { data, isFetching } = useQuery({
    ...urlVerdictQuery(settled),
    enabled: settled !== '',
  });
  const isSettled = settled === url.trim() && settled !== '' && !isFetching;
  return { isSettled, verdict: isSettled ? data : undefined };
}

/** Returns host and port in the format of WEBHOOK_ALLOWED_ADDRESSES. */
function addressOf(url: string): string {
  const { protocol, hostname, port } = URL.parse(url.trim()) ?? {};
  return `${hostname}:${port || (protocol === 'http:' ? HTTP_PORT : HTTPS_PORT)}`;
}

type Check = ReturnType<typeof useUrlCheck>;

/** The result of the check, shown below the input. Problems are shown at the input itself. */
function UrlVerdict({ check, url }: { readonly check: Check; readonly url: string }) {
  const t = usePageText();
  const { isSettled, verdict } = check;
  if (url.trim() === '') return null;
  const isFine = verdict?.problems.length === 0;
  return (
    <Text size="sm" role="status" c="dimmed">
      {isSettled ? null : t('webhooks.urlChecking')}
      {isFine ? (verdict.warnings[0] ?? t('webhooks.urlFine')) : null}
      {verdict?.problems.some(({ type }) => type === 'notInternal')
        ? t('webhooks.urlBlocked', { address: addressOf(url) })
        : null}
    </Text>
  );
}
