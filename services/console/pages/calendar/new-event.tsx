import { Button, Popover, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconPlus } from '@tabler/icons-react';
import type { Entity } from '../../api/metadata.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { AnchoredDialog } from './anchored-dialog.tsx';
import { newValuesAt, type Span } from './event-spans.ts';
import { useSpanText } from './event-texts.ts';
import type { ZoneClock } from './zone-clock.ts';

interface Props {
  readonly span: Span;
  readonly clock: ZoneClock;
  /** The entity types that the user may create. */
  readonly entities: readonly Entity[];
}

/** Offers to create a record at the place that was chosen with the pointer. */
export function NewEventAt(
  props: Props & { readonly place: DOMRect; readonly onClose: () => void },
) {
  const spanText = useSpanText();
  const text = spanText(props.span);
  return (
    <AnchoredDialog label={text} place={props.place} onClose={props.onClose}>
      <Stack gap="xs">
        <Text size="sm" fw={600}>
          {text}
        </Text>
        <NewLinks {...props} />
      </Stack>
    </AnchoredDialog>
  );
}

/** The button that creates a record in the period that the calendar shows. */
export function NewEventButton(props: Props) {
  const t = useText();
  const [isOpen, menu] = useDisclosure();
  return (
    <Popover opened={isOpen} onChange={menu.toggle} position="bottom-end" trapFocus>
      <Popover.Target>
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          aria-haspopup="dialog"
          onClick={menu.toggle}
        >
          {t('calendar.new')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('calendar.new')}>
        <Stack gap="xs">
          <NewLinks {...props} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

/** Links to the forms of new records, with the times filled in. */
function NewLinks({ span, clock, entities }: Props) {
  const t = useText();
  return entities.map((entity) => (
    <ButtonLink
      key={entity.name}
      variant="default"
      to="/create/$entity"
      params={{ entity: entity.name }}
      search={{ linked: newValuesAt(span, { entity, clock }) }}
    >
      {t('record.create', { entity: entity.label })}
    </ButtonLink>
  ));
}
