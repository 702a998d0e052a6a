import { Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { urlVerdictQuery } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';

const settleMs = 400;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

/** Validates a URL on the server while the user types, without creating anything. */
export function useUrlCheck(url: string) {
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
export function UrlVerdict({ check, url }: { readonly check: Check; readonly url: string }) {
  const t = useText();
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
