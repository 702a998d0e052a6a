import { MantineProvider, MantineThemeProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, type ReactNode, Suspense, useMemo } from 'react';
import { isTransient } from '../api/errors.ts';
import { LanguageProvider, useText } from '../language/language.tsx';
import { Gate } from './gate.tsx';
import { styleNonce } from './style-nonce.ts';
import { theme } from './theme.ts';

const ChangePasswordPage = lazy(async () => ({
  default: (await import('../sign-in/change-password-page.tsx')).ChangePasswordPage,
}));
const Toasts = lazy(async () => ({ default: (await import('./toasts.tsx')).Toasts }));
const ProviderCallback = lazy(async () => ({
  default: (await import('../sign-in/provider-callback.tsx')).ProviderCallback,
}));
const publicPages: Readonly<Record<string, ComponentType>> = {
  // Links in e-mails.
  '/change-password': ChangePasswordPage,
  // The address to which providers of single sign-on send the browser back.
  '/oauth-callback.php': ProviderCallback,
};
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
            <Page />
          </LabelledTheme>
        </LanguageProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Shows the pages that need no session by their path, and the console on all other paths. */
function Page() {
  const Public = publicPages[location.pathname];
  if (Public === undefined) return <Gate />;
  return (
    <Suspense>
      <Public />
    </Suspense>
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
