import { MantineProvider, MantineThemeProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useMemo } from 'react';
import { isTransient } from '../api/errors.ts';
import { LanguageProvider, useText } from '../language/language.tsx';
import { Gate } from './gate.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));
const ProviderCallback = lazy(async () => ({
  default: (await import('../sign-in/provider-callback.tsx')).ProviderCallback,
}));
/** The address to which providers of single sign-on send the browser back. */
const callbackPath = '/oauth-callback.php';
const retryEveryMs = 3_000;
const retryOnceAfterMs = 300;

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: (failures, error) => isTransient(error) && failures < 1,
      retryDelay: retryOnceAfterMs,
      // Retries queries automatically after transient errors.
      refetchInterval: ({ state }) =>
        state.status === 'error' && isTransient(state.error) ? retryEveryMs : false,
    },
  },
});

export function Console() {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" getStyleNonce={() => styleNonce}>
      <QueryClientProvider client={queries}>
        <LanguageProvider>
          <LabelledTheme>
            <Suspense>
              <Toasts />
            </Suspense>
            {location.pathname === callbackPath ? (
              <Suspense>
                <ProviderCallback />
              </Suspense>
            ) : (
              <Gate />
            )}
          </LabelledTheme>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Labels the close buttons, which show only an icon, in the user's language. */
function LabelledTheme({ children }: { readonly children: ReactNode }) {
  const t = useText();
  const labelled = useMemo(() => {
    const defaultProps = { closeButtonProps: { 'aria-label': t('parts.close') } };
    return { components: { Modal: { defaultProps }, Notification: { defaultProps } } };
  }, [t]);
  return (
    <MantineThemeProvider inherit theme={labelled}>
      {children}
    </MantineThemeProvider>
  );
}
