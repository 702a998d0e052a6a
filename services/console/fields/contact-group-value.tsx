import { Badge, Group, Stack, Text, VisuallyHidden } from '@mantine/core';
import { IconStarFilled } from '@tabler/icons-react';
import { useText } from '../language/language.tsx';
import { type ContactEntry, contactEntriesOf } from './contact-entries.ts';
import { SafeLink, type ValueProps } from './simple-values.tsx';

/** The addresses or numbers of a record, with their kinds and flags. */
export function ContactGroupValue({ record, name, entity }: ValueProps) {
  const entries = contactEntriesOf(record, name);
  if (entries.length === 0) return null;
  const prefix = prefixOf(entity.fields[name]?.type);
  return (
    <Stack component="span" gap={4}>
      {entries.map((entry) => (
        <Group key={entry.address} component="span" gap={6} mih={24}>
          <SafeLink value={entry.address} prefix={prefix} />
          <Flags
            entry={entry}
            kind={entry.kind && entity.optionOf(name, entry.kind)}
            isOnly={entries.length === 1}
          />
        </Group>
      ))}
    </Stack>
  );
}

function Flags(props: {
  readonly entry: ContactEntry;
  readonly kind: string | undefined;
  readonly isOnly: boolean;
}) {
  const t = useText();
  const { kind } = props;
  const { isPrimary, isOptedOut, isInvalid } = props.entry;
  return (
    <>
      {kind === undefined ? null : (
        <Text span size="xs" c="dimmed">
          {kind}
        </Text>
      )}
      {isPrimary && !props.isOnly ? (
        <span title={t('contacts.primary')}>
          <IconStarFilled size={12} aria-hidden />
          <VisuallyHidden>{t('contacts.primary')}</VisuallyHidden>
        </span>
      ) : null}
      {isOptedOut ? (
        <Badge component="span" size="sm" variant="default" tt="none">
          {t('contacts.optedOut')}
        </Badge>
      ) : null}
      {isInvalid ? (
        <Badge component="span" size="sm" variant="default" tt="none">
          {t('contacts.invalid')}
        </Badge>
      ) : null}
    </>
  );
}

/** The primary address or number of a listed record, and how many others it has. */
export function ContactGroupCell({ record, name, entity }: ValueProps) {
  const t = useText();
  const [first, ...others] = contactEntriesOf(record, name);
  if (first === undefined) return null;
  const title = others.map(({ address }) => address).join(', ');
  return (
    <>
      <SafeLink value={first.address} prefix={prefixOf(entity.fields[name]?.type)} />
      {others.length === 0 ? null : (
        <Text span size="xs" c="dimmed" ml={6} title={title}>
          <span aria-hidden>+{others.length}</span>
          <VisuallyHidden>{t('contacts.others', { count: others.length })}</VisuallyHidden>
        </Text>
      )}
    </>
  );
}

function prefixOf(type: string | undefined): string {
  return type === 'phone' ? 'tel:' : 'mailto:';
}
