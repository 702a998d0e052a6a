import { Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconBellRinging } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTypeLabel } from '../../api/metadata.ts';
import { type DueReminder, dismissReminder, remindersQuery } from '../../api/reminders.ts';
import { useFormat } from '../../language/format.ts';
import { useLanguage, useText } from '../../language/language.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { useNow } from '../../parts/time.tsx';
import { reminderText } from './reminder-text.ts';

/** Shows the due reminders on every page, until they are dismissed here, in another tab or on another device. */
export function Reminders() {
  const { data: due } = useQuery(remindersQuery);
  const typeLabel = useTypeLabel();
  const dismiss = useDismiss();
  const navigate = useNavigate();
  const shown = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (due === undefined) return;
    for (const reminder of due) {
      if (shown.current.has(reminder.id)) continue;
      const { id: recordId, entityType, name } = reminder.data;
      notifications.show({
        id: reminder.id,
        title: name ?? typeLabel(entityType),
        icon: <IconBellRinging size={18} aria-hidden="true" />,
        autoClose: false,
        withCloseButton: false,
        message: (
          <Content
            reminder={reminder}
            type={typeLabel(entityType)}
            onDismiss={() => dismiss(reminder)}
            onOpen={() => {
              dismiss(reminder);
              const params = { entity: entityType, id: recordId };
              void navigate({ to: '/records/$entity/$id', params });
            }}
          />
        ),
      });
    }
    const current = new Set(due.map(({ id }) => id));
    for (const id of shown.current.difference(current)) notifications.hide(id);
    shown.current = current;
  }, [due, typeLabel, dismiss, navigate]);
  return null;
}

/** Returns a function that dismisses a reminder. It is shown again if it cannot be dismissed. */
function useDismiss(): (reminder: DueReminder) => void {
  const t = useText();
  const queries = useQueryClient();
  const { mutate } = useMutation({
    mutationFn: async ({ id }: DueReminder) => dismissReminder(id),
    async onMutate({ id }) {
      await queries.cancelQueries(remindersQuery);
      queries.setQueryData(remindersQuery.queryKey, (due) => due?.filter((one) => one.id !== id));
    },
    onError: (error, { data: { name } }) => {
      notifications.show({
        color: 'red',
        title: t('reminders.notDismissed', { name: name ?? '' }),
        message: <ErrorDetails error={error} />,
      });
    },
    onSettled: async () => queries.invalidateQueries(remindersQuery),
  });
  return mutate;
}

function Content(props: {
  readonly reminder: DueReminder;
  readonly type: string;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
}) {
  const t = useText();
  const format = useFormat();
  const { language } = useLanguage();
  const now = useNow();
  const { reminder, type, onOpen, onDismiss } = props;
  const name = reminder.data.name ?? type;
  return (
    <>
      <Text size="sm" c="dimmed">
        {type} · {reminderText(reminder, { format, language, now })}
      </Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-sm" onClick={onOpen} aria-label={t('reminders.openNamed', { name })}>
          {t('reminders.open')}
        </Button>
        <Button
          size="compact-sm"
          variant="default"
          onClick={onDismiss}
          aria-label={t('reminders.dismissNamed', { name })}
        >
          {t('reminders.dismiss')}
        </Button>
      </Group>
    </>
  );
}
