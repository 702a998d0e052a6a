import { ActionIcon, Button, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useText } from '../language/language.tsx';
import type { InputProps } from './input-parts.ts';
import { type Reminder, remindersIn, useLeadTime } from './reminders.ts';

/** The reminders of an activity. */
export function RemindersInput({ name, label, values, error, onChange }: InputProps) {
  const t = useText();
  const value = values[name];
  return (
    <ReminderList
      label={label}
      error={error}
      description={value === null || value === undefined ? t('reminders.default') : undefined}
      value={value}
      onChange={(changed) => onChange({ [name]: changed })}
    />
  );
}

const offered = [0, 300, 600, 900, 1_800, 3_600, 7_200, 86_400, 604_800];
const usualSeconds = 600;
const maxCount = 10;

/** An input for reminders. Those by e-mail, which other clients store, are kept. */
export function ReminderList(props: {
  readonly label: string;
  readonly error?: string | undefined;
  readonly description?: string | undefined;
  readonly value: unknown;
  readonly onChange: (reminders: readonly Reminder[]) => void;
}) {
  const t = useText();
  const leadTime = useLeadTime();
  const { label, error, description, value, onChange } = props;
  const reminders = remindersIn(value);
  const popups = reminders.flatMap((reminder, index) =>
    reminder.type === 'Popup' ? [{ ...reminder, index }] : [],
  );
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      error={error}
      description={description}
      role="group"
      aria-label={label}
    >
      <Stack gap="xs" align="flex-start" mt={4}>
        {popups.map(({ seconds, index }, place) => (
          <Group key={index} gap="xs" wrap="nowrap">
            <NativeSelect
              aria-label={t('reminders.numbered', { number: place + 1 })}
              value={String(seconds)}
              data={[...new Set([...offered, seconds])]
                .toSorted((one, other) => one - other)
                .map((one) => ({ value: String(one), label: leadTime(one) }))}
              onChange={({ currentTarget }) => {
                const changed = { type: 'Popup', seconds: Number(currentTarget.value) };
                onChange(reminders.with(index, changed));
              }}
            />
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('reminders.remove', { number: place + 1 })}
              onClick={() => onChange(reminders.toSpliced(index, 1))}
            >
              <IconTrash size={16} aria-hidden="true" />
            </ActionIcon>
          </Group>
        ))}
        {reminders.length < maxCount ? (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconPlus size={14} aria-hidden="true" />}
            onClick={() => onChange([...reminders, { type: 'Popup', seconds: usualSeconds }])}
          >
            {t('reminders.add')}
          </Button>
        ) : null}
        {reminders.length > popups.length ? (
          <Text size="xs" c="dimmed">
            {t('reminders.byEmail', { count: reminders.length - popups.length })}
          </Text>
        ) : null}
      </Stack>
    </Input.Wrapper>
  );
}
