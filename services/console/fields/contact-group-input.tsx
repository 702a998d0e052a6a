import {
  ActionIcon,
  Button,
  Group,
  Input,
  NativeSelect,
  Stack,
  TextInput,
  Tooltip,
} from '@mantine/core';
import {
  type Icon,
  IconBan,
  IconMailOff,
  IconPhoneOff,
  IconPlus,
  IconStar,
  IconStarFilled,
  IconTrash,
} from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import {
  type AddressKey,
  type ContactRow,
  emptyRow,
  fromRows,
  toRows,
  withPrimary,
} from './contact-rows.ts';
import type { InputProps } from './input-parts.ts';

const phoneTypes = ['Mobile', 'Office', 'Home', 'Fax', 'Other'];

export function EmailInput(props: InputProps) {
  return <ContactGroupInput {...props} addressKey="emailAddress" types={[]} />;
}

export function PhoneInput(props: InputProps) {
  const { typeList = phoneTypes } = props.field;
  return <ContactGroupInput {...props} addressKey="phoneNumber" types={typeList} />;
}

interface GroupProps extends InputProps {
  readonly addressKey: AddressKey;
  /** The kinds of phone numbers; empty for e-mail addresses. */
  readonly types: readonly string[];
}

/** An input for several e-mail addresses or phone numbers, one of them primary. */
function ContactGroupInput(props: GroupProps) {
  const t = useText();
  const { name, label, field, values, error, addressKey, types } = props;
  const group = { name, addressKey, type: types[0] ?? '' };
  const [rows, setRows] = useState(() => {
    const stored = toRows(values, group);
    return stored.length > 0 ? stored : [{ ...emptyRow(group.type), primary: true }];
  });
  const change = (changed: readonly ContactRow[]): void => {
    setRows(changed);
    props.onChange(fromRows(changed, group));
  };
  return (
    <Input.Wrapper
      label={label}
      labelElement="div"
      error={error}
      withAsterisk={field.required === true}
    >
      <Stack gap={6} mb={error === undefined ? 0 : 5} align="flex-start">
        {rows.map((row, position) => (
          <RowInputs
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and their inputs have no state
            key={position}
            label={position === 0 ? label : `${label} ${position + 1}`}
            row={row}
            types={types}
            labelOfType={(type) => props.entity.optionOf(name, type)}
            isOnly={rows.length === 1}
            hasError={error !== undefined}
            inputMode={addressKey === 'emailAddress' ? 'email' : 'tel'}
            onChange={(more) =>
              change(rows.map((one, index) => (index === position ? { ...one, ...more } : one)))
            }
            onPrimary={() => change(withPrimary(rows, position))}
            onRemove={() => change(rows.filter((_, index) => index !== position))}
          />
        ))}
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          aria-label={t('contact.addTo', { label })}
          onClick={() => setRows([...rows, emptyRow(group.type)])}
        >
          {t('contact.add')}
        </Button>
      </Stack>
    </Input.Wrapper>
  );
}

interface RowProps {
  readonly label: string;
  readonly row: ContactRow;
  readonly types: readonly string[];
  readonly labelOfType: (type: string) => string;
  readonly isOnly: boolean;
  readonly hasError: boolean;
  readonly inputMode: 'email' | 'tel';
  readonly onChange: (changed: Partial<ContactRow>) => void;
  readonly onPrimary: () => void;
  readonly onRemove: () => void;
}

function RowInputs(props: RowProps) {
  const t = useText();
  const { label, row, types, isOnly, onChange } = props;
  return (
    <Group gap={4} w="100%">
      {types.length === 0 ? null : (
        <NativeSelect
          w={110}
          aria-label={t('contact.type', { label })}
          data={[...new Set([...types, row.type])].map((one) => ({
            value: one,
            label: props.labelOfType(one),
          }))}
          value={row.type}
          onChange={({ currentTarget }) => onChange({ type: currentTarget.value })}
        />
      )}
      <TextInput
        flex={1}
        miw={150}
        aria-label={label}
        inputMode={props.inputMode}
        error={props.hasError}
        value={row.address}
        onChange={({ currentTarget }) => onChange({ address: currentTarget.value })}
      />
      <Group gap={4} wrap="nowrap">
        {isOnly ? null : (
          <Flag
            label={t('contact.primary', { label })}
            Icon={row.primary ? IconStarFilled : IconStar}
            isOn={row.primary}
            onToggle={props.onPrimary}
          />
        )}
        {row.address === '' ? null : (
          <>
            <Flag
              label={t('contact.optOut', { label })}
              Icon={props.inputMode === 'tel' ? IconPhoneOff : IconMailOff}
              isOn={row.optOut}
              onToggle={() => onChange({ optOut: !row.optOut })}
            />
            <Flag
              label={t('contact.invalid', { label })}
              Icon={IconBan}
              isOn={row.invalid}
              onToggle={() => onChange({ invalid: !row.invalid })}
            />
          </>
        )}
        {isOnly ? null : (
          <Flag
            label={t('forms.remove', { name: label })}
            Icon={IconTrash}
            onToggle={props.onRemove}
          />
        )}
      </Group>
    </Group>
  );
}

/** A button with an icon. A button for a flag shows whether the flag is set. */
function Flag(props: {
  readonly label: string;
  readonly Icon: Icon;
  readonly isOn?: boolean;
  readonly onToggle: () => void;
}) {
  const { label, Icon, isOn } = props;
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant={isOn === true ? 'light' : 'subtle'}
        {...(isOn === true ? {} : { color: 'gray' })}
        aria-label={label}
        aria-pressed={isOn}
        onClick={props.onToggle}
      >
        <Icon size={16} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}
