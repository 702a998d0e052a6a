import { ActionIcon, Button, Group, Input, NativeSelect, Stack, Text } from '@mantine/core';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isMailOnQuery } from '../api/recovery.ts';
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

/** An input for reminders. If the installation sends no e-mail, reminders by e-mail are kept, but not offered. */
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
  const { data: isMailOn = false } = useQuery(isMailOnQuery);
  const shown = reminders.flatMap((reminder, index) =>
    isMailOn || reminder.type === 'Popup' ? [{ ...reminder, index }] : [],
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
        {shown.map(({ type, seconds, index }, place) => (
          <Group key={index} gap="xs" wrap="nowrap">
            {isMailOn ? (
              <NativeSelect
                aria-label={t('reminders.type', { number: place + 1 })}
                value={type}
                data={[
                  { value: 'Popup', label: t('reminders.popup') },
                  { value: 'Email', label: t('reminders.email') },
                ]}
                onChange={({ currentTarget }) =>
                  onChange(reminders.with(index, { type: currentTarget.value, seconds }))
                }
              />
            ) : null}
            <NativeSelect
              aria-label={t('reminders.numbered', { number: place + 1 })}
              value={String(seconds)}
              data={[...new Set([...offered, seconds])]
                .toSorted((one, other) => one - other)
                .map((one) => ({ value: String(one), label: leadTime(one) }))}
              onChange={({ currentTarget }) => {
                const changed = { type, seconds: Number(currentTarget.value) };
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
        {reminders.length > shown.length ? (
          <Text size="xs" c="dimmed">
            {t('reminders.byEmail', { count: reminders.length - shown.length })}
          </Text>
        ) : null}
      </Stack>
    </Input.Wrapper>
  );
}
