import { Modal, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type AppUser, sessionQuery } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { ProviderButtons } from './provider-buttons.tsx';
import { SignInForm } from './sign-in-form.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly userName: string;
  readonly onDone: (user: AppUser) => void;
}

/** A dialog over the page, which keeps its unsaved input. */
export function SessionDialog(props: Props) {
  const t = useText();
  useSessionOfOtherTab(props);
  return (
    <Modal
      opened={props.isOpen}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('signIn.again')}
      zIndex={400}
    >
      <Stack>
        <div>{t('signIn.againText')}</div>
        <SignInForm userName={props.userName} onDone={props.onDone} />
        <ProviderButtons opensTab />
      </Stack>
    </Modal>
  );
}

/** Closes the dialog once the user has signed in through a provider in another tab. */
function useSessionOfOtherTab({ isOpen, onDone }: Props): void {
  const { data, dataUpdatedAt } = useQuery(sessionQuery);
  const openedAt = useRef(0);
  useEffect(() => {
    openedAt.current = isOpen ? Date.now() : 0;
  }, [isOpen]);
  useEffect(() => {
    const isLater = openedAt.current > 0 && dataUpdatedAt > openedAt.current;
    if (isOpen && isLater && data) onDone(data);
  }, [isOpen, data, dataUpdatedAt, onDone]);
}
