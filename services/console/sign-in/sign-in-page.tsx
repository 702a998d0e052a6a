import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { isMailOnQuery } from '../api/recovery.ts';
import type { AppUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { Hint } from '../parts/hint.tsx';
import { isLoopback } from './is-loopback.ts';
import { ProviderButtons } from './provider-buttons.tsx';
import { RequestLinkForm } from './request-link-form.tsx';
import { SignInForm } from './sign-in-form.tsx';
import { SignInFrame } from './sign-in-frame.tsx';

export function SignInPage({ onDone }: { readonly onDone: (user: AppUser) => void }) {
  const t = useText();
  const { data: isMailOn = false } = useQuery(isMailOnQuery);
  const [hasForgotten, setForgotten] = useState(false);
  if (hasForgotten) {
    return (
      <SignInFrame title={t('signIn.forgotten')}>
        <RequestLinkForm />
        <Button variant="subtle" onClick={() => setForgotten(false)}>
          {t('signIn.toSignIn')}
        </Button>
      </SignInFrame>
    );
  }
  return (
    <SignInFrame title={t('signIn.title')}>
      <SignInForm onDone={onDone} />
      {isMailOn ? (
        <Button variant="subtle" onClick={() => setForgotten(true)}>
          {t('signIn.forgotten')}
        </Button>
      ) : null}
      <ProviderButtons />
      {/* Users can read the output of npm start only on the server's machine. */}
      {isLoopback(location.hostname) ? <Hint>{t('signIn.where')}</Hint> : null}
    </SignInFrame>
  );
}
