import { Stack, Switch } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usePreference } from '../../api/preferences.ts';
import { isMailOnQuery } from '../../api/recovery.ts';
import { useUser } from '../../api/session.ts';
import { usePageText } from '../../language/page-text.ts';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** E-mails to administrators about problems of the installation. Shows nothing if no e-mail is sent. */
export function EmailPanel() {
  const t = usePageText();
  const { user } = useUser();
  const { data: isMailOn = false } = useQuery({ ...isMailOnQuery, enabled: user.isAdmin });
  const [error, setError] = useState<unknown>(null);
  const [isOn, change] = usePreference('receiveFindingEmails', setError);
  if (!user.isAdmin || !isMailOn) return null;
  return (
    <Panel title={t('system.mail')}>
      <Stack>
        <Switch
          label={t('profile.findingEmails')}
          description={t('profile.findingEmailsText')}
          checked={isOn === true}
          onChange={({ currentTarget }) => change(currentTarget.checked)}
        />
        <ErrorAlert error={error} />
      </Stack>
    </Panel>
  );
}
