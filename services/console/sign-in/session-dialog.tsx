import { Modal, Stack } from '@mantine/core';
import type { AppUser } from '../api/session.ts';
import { useText } from '../language/language.tsx';
import { SignInForm } from './sign-in-form.tsx';

/** A dialog over the page, which keeps its unsaved input. */
export function SessionDialog(props: {
  readonly isOpen: boolean;
  readonly userName: string;
  readonly onDone: (user: AppUser) => void;
}) {
  const t = useText();
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
      </Stack>
    </Modal>
  );
}
