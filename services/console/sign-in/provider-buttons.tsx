import { Button, Divider, Stack } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { usePageText } from '../language/page-text.ts';
import { Hint } from '../parts/hint.tsx';
import { authorizationUrl, providersQuery } from './single-sign-on.ts';
import { SingleSignOnError } from './single-sign-on-error.tsx';

/** A button for each provider. Shows nothing without providers, or while they cannot be loaded. */
export function ProviderButtons({ opensTab = false }: { readonly opensTab?: boolean }) {
  const t = usePageText();
  const { data: providers = [] } = useQuery(providersQuery);
  const starting = useMutation({
    mutationFn: async (id: string) => {
      // Opened before the request, because browsers block tabs that do not open immediately after a click.
      const tab = opensTab ? window.open('about:blank') : null;
      try {
        const url = await authorizationUrl(id, 'signIn');
        if (tab === null) location.assign(url);
        else tab.location.replace(url);
      } catch (error) {
        tab?.close();
        throw error;
      }
    },
  });
  if (providers.length === 0) return null;
  return (
    <Stack>
      <Divider label={t('singleSignOn.or')} />
      {opensTab ? <Hint>{t('singleSignOn.inNewTab')}</Hint> : null}
      {providers.map(({ id, name }) => (
        <Button
          key={id}
          variant="default"
          loading={starting.isPending && starting.variables === id}
          onClick={() => starting.mutate(id)}
        >
          {t('singleSignOn.signInWith', { name })}
        </Button>
      ))}
      <SingleSignOnError error={starting.error} />
    </Stack>
  );
}
