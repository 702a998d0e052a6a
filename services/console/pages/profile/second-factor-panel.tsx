import { Badge, Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { usePageText } from '../../language/page-text.ts';
import { DialogButton } from '../../parts/dialog.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { EnableForm } from './enable-form.tsx';
import { PasswordForm } from './password-form.tsx';
import { disableSecondFactor, replaceRecoveryCodes, secondFactorQuery } from './profile.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

/** The user's second factor: an authenticator, and recovery codes in case it is lost. */
export function SecondFactorPanel() {
  const t = usePageText();
  const factor = useQuery(secondFactorQuery);
  const [isOpen, dialog] = useDisclosure();
  return (
    <Panel title={t('profile.secondFactor')}>
      {factor.data === undefined ? (
        <Pending query={factor} height={80} />
      ) : (
        <Stack>
          <Hint>{t('profile.secondFactorText')}</Hint>
          {factor.data.enabled ? (
            <TurnedOn codesLeft={factor.data.recoveryCodes} />
          ) : (
            <TurnedOff onTurnOn={dialog.open} />
          )}
        </Stack>
      )}
      {/* Stays open while it shows the recovery codes, after the second factor has been turned on. */}
      <Modal opened={isOpen} onClose={dialog.close} title={t('profile.turnOnTitle')} size="lg">
        <EnableForm onClose={dialog.close} />
      </Modal>
    </Panel>
  );
}

function TurnedOff({ onTurnOn }: { readonly onTurnOn: () => void }) {
  const t = usePageText();
  return (
    <Group>
      <Badge color="gray">{t('profile.off')}</Badge>
      <Button variant="default" onClick={onTurnOn}>
        {t('profile.turnOn')}
      </Button>
    </Group>
  );
}

function TurnedOn({ codesLeft }: { readonly codesLeft: number }) {
  const t = usePageText();
  const queries = useQueryClient();
  const reload = async () => queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
  return (
    <>
      <Group gap="xs">
        <Badge color="green">{t('profile.on')}</Badge>
        <Text size="sm">{t('profile.codesLeft', { count: codesLeft })}</Text>
      </Group>
      <Group>
        <DialogButton label={t('profile.newCodes')} title={t('profile.newCodes')}>
          {(close) => <NewCodes onClose={close} />}
        </DialogButton>
        <DialogButton label={t('profile.turnOff')} title={t('profile.turnOffTitle')}>
          {(close) => (
            <PasswordForm
              text={t('profile.turnOffText')}
              label={t('profile.turnOff')}
              color="red"
              act={disableSecondFactor}
              onDone={() => {
                close();
                void reload();
              }}
              onCancel={close}
            />
          )}
        </DialogButton>
      </Group>
    </>
  );
}

function NewCodes({ onClose }: { readonly onClose: () => void }) {
  const t = usePageText();
  const queries = useQueryClient();
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onClose={onClose} />;
  return (
    <PasswordForm
      text={t('profile.newCodesText')}
      label={t('profile.newCodes')}
      act={replaceRecoveryCodes}
      onDone={(made) => {
        setCodes(made);
        void queries.invalidateQueries({ queryKey: secondFactorQuery.queryKey });
      }}
      onCancel={onClose}
    />
  );
}
