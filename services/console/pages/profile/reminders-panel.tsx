import { SimpleGrid, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { usePreference } from '../../api/preferences.ts';
import { ReminderList } from '../../fields/reminders-input.tsx';
import { usePageText } from '../../language/page-text.ts';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** The reminders of activities for which none are set. */
export function RemindersPanel() {
  const t = usePageText();
  const [error, setError] = useState<unknown>(null);
  const [ofMeetings, chooseOfMeetings] = usePreference('defaultReminders', setError);
  const [ofTasks, chooseOfTasks] = usePreference('defaultRemindersTask', setError);
  return (
    <Panel title={t('reminders.title')}>
      <Stack>
        <Text size="sm" c="dimmed">
          {t('reminders.panelText')}
        </Text>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <ReminderList
            label={t('reminders.ofMeetings')}
            value={ofMeetings}
            onChange={chooseOfMeetings}
          />
          <ReminderList label={t('reminders.ofTasks')} value={ofTasks} onChange={chooseOfTasks} />
        </SimpleGrid>
        <ErrorAlert error={error} />
      </Stack>
    </Panel>
  );
}
