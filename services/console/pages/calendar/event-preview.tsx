import { ActionIcon, Badge, CloseButton, Group, Stack, Text, Title } from '@mantine/core';
import {
  type Icon,
  IconArrowBarLeft,
  IconArrowBarRight,
  IconChevronLeft,
  IconChevronRight,
  IconChevronsLeft,
  IconChevronsRight,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { Entity } from '../../api/metadata.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useText } from '../../language/language.tsx';
import type { MessageKey } from '../../messages/en.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { AnchoredDialog } from './anchored-dialog.tsx';
import { lengthened, type Span, type Step, shifted } from './event-spans.ts';
import { useSpanText } from './event-texts.ts';
import type { PlacedEvent } from './placed-events.ts';

interface Props {
  readonly placed: PlacedEvent;
  readonly entity: Entity;
  readonly place: DOMRect;
  readonly onMove: (span: Span) => void;
  readonly onClose: () => void;
}

/** The most important facts about an event, with buttons that move it and a link to its record. */
export function EventPreview({ placed, entity, place, onMove, onClose }: Props) {
  const t = useText();
  const spanText = useSpanText();
  const { event, span, userNames, whyFixed } = placed;
  const name = event.name ?? event.id;
  const { status, parentType, parentId, parentName, assignedUserName } = event;
  return (
    <AnchoredDialog label={name} place={place} onClose={onClose}>
      <Stack gap="xs">
        <Group justify="space-between" wrap="nowrap" align="flex-start">
          <Title order={2} size="h5" style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <CloseButton size="sm" aria-label={t('parts.close')} onClick={onClose} />
        </Group>
        <Group gap="xs">
          <Badge variant="default">{entity.label}</Badge>
          {status ? <Text size="sm">{entity.optionOf('status', status)}</Text> : null}
        </Group>
        <Text size="sm" aria-live="polite">
          {spanText(span)}
        </Text>
        {assignedUserName ? (
          <Fact label={entity.labelOf('assignedUser')}>{assignedUserName}</Fact>
        ) : null}
        {userNames.length > 0 ? (
          <Fact label={t('calendar.people')}>{userNames.join(', ')}</Fact>
        ) : null}
        {parentType && parentId ? (
          <Fact label={entity.labelOf('parent')}>
            <RecordLink entity={parentType} id={parentId} name={parentName} underline="always" />
          </Fact>
        ) : null}
        {whyFixed === undefined ? (
          <MoveButtons span={span} onMove={onMove} />
        ) : (
          <Text size="sm">{whyFixed}</Text>
        )}
        <ButtonLink
          to="/records/$entity/$id"
          params={{ entity: entity.name, id: event.id }}
          variant="light"
        >
          {t('calendar.open')}
        </ButtonLink>
      </Stack>
    </AnchoredDialog>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
      <Text span c="dimmed" inherit>
        {label}:{' '}
      </Text>
      {children}
    </Text>
  );
}

type MoveButton = readonly [Step, MessageKey, Icon];
const minutes = 15;

const moves: readonly MoveButton[] = [
  [{ days: -1 }, 'calendar.dayEarlier', IconChevronsLeft],
  [{ minutes: -minutes }, 'calendar.minutesEarlier', IconChevronLeft],
  [{ minutes }, 'calendar.minutesLater', IconChevronRight],
  [{ days: 1 }, 'calendar.dayLater', IconChevronsRight],
];
const lengths: readonly MoveButton[] = [
  [{ days: -1 }, 'calendar.dayShorter', IconArrowBarLeft],
  [{ minutes: -minutes }, 'calendar.minutesShorter', IconArrowBarLeft],
  [{ minutes }, 'calendar.minutesLonger', IconArrowBarRight],
  [{ days: 1 }, 'calendar.dayLonger', IconArrowBarRight],
];

/** The alternative to dragging. */
function MoveButtons({ span, onMove }: { readonly span: Span; readonly onMove: Props['onMove'] }) {
  const t = useText();
  const isOffered = ([{ minutes: some }]: MoveButton): boolean =>
    !span.isAllDay || some === undefined;
  // Events with times become longer by minutes, those of whole days by days.
  const isLength = ([{ days }]: MoveButton): boolean => span.isAllDay === (days !== undefined);
  return (
    <Group justify="space-between">
      <Group gap={4} role="group" aria-label={t('calendar.move')}>
        <Text size="sm">{t('calendar.move')}</Text>
        {moves.filter(isOffered).map(([step, label, IconOf]) => (
          <StepButton
            key={label}
            label={t(label, { count: minutes })}
            IconOf={IconOf}
            span={shifted(span, step)}
            onMove={onMove}
          />
        ))}
      </Group>
      {span.end === null ? null : (
        <Group gap={4} role="group" aria-label={t('calendar.length')}>
          <Text size="sm">{t('calendar.length')}</Text>
          {lengths.filter(isLength).map(([step, label, IconOf]) => (
            <StepButton
              key={label}
              label={t(label, { count: minutes })}
              IconOf={IconOf}
              span={lengthened(span, step)}
              onMove={onMove}
            />
          ))}
        </Group>
      )}
    </Group>
  );
}

function StepButton(props: {
  readonly label: string;
  readonly IconOf: Icon;
  /** Undefined if the step is impossible. */
  readonly span: Span | undefined;
  readonly onMove: Props['onMove'];
}) {
  const { label, IconOf, span, onMove } = props;
  return (
    <ActionIcon
      variant="default"
      aria-label={label}
      title={label}
      {...(span === undefined ? { 'aria-disabled': true, 'data-disabled': true } : {})}
      onClick={() => span && onMove(span)}
    >
      <IconOf size={16} aria-hidden="true" />
    </ActionIcon>
  );
}
