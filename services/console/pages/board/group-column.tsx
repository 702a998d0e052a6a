import { useDroppable } from '@dnd-kit/core';
import { SortableContext, useSortable, verticalListSortingStrategy } from '@dnd-kit/sortable';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { type BoardGroup, largestGroup } from '../../api/board.ts';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { useRecordRights, useRights } from '../../api/rights.ts';
import { useBaseCurrency } from '../../fields/currencies.ts';
import { statusColor } from '../../fields/status-badge.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import styles from './board.module.css';
import { nameOfCard, RecordCard } from './card.tsx';
import { dropIdOf } from './drag-rules.ts';

interface Props {
  readonly entity: Entity;
  readonly field: string;
  readonly cardFields: readonly string[];
  readonly sumOf: string | undefined;
  readonly group: BoardGroup;
  readonly onMore: () => void;
}

/** The cards of one status, with their number and sum. */
export function GroupColumn(props: Props) {
  const { entity, field, group, cardFields } = props;
  const { setNodeRef, isOver } = useDroppable({ id: dropIdOf(group.name) });
  const label = entity.optionOf(field, group.name);
  const color = statusColor(entity, field, group.name);
  const { mayEditField } = useRights(entity.name);
  return (
    <section
      ref={setNodeRef}
      className={styles['group']}
      data-over={isOver || undefined}
      style={{ borderTop: `3px solid var(--mantine-color-${color}-6)` }}
      aria-label={label}
    >
      <Header {...props} label={label} />
      <SortableContext
        items={group.list.map(({ id }) => id)}
        strategy={verticalListSortingStrategy}
      >
        <Stack gap="xs" component="ul" className={styles['cards'] ?? ''}>
          {group.list.map((record) => (
            <MovableCard
              key={record.id}
              entity={entity}
              record={record}
              group={group.name}
              cardFields={cardFields}
              isFixed={!mayEditField(field)}
            />
          ))}
        </Stack>
      </SortableContext>
      <More {...props} />
    </section>
  );
}

function Header(props: Props & { readonly label: string }) {
  const { entity, group, sumOf, label } = props;
  const t = useText();
  const format = useFormat();
  const currency = useBaseCurrency();
  return (
    <Stack gap={2}>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <Title order={2} size="h6">
          {label}
        </Title>
        <Group gap={4} wrap="nowrap">
          <Badge variant="default" tt="none">
            {format.number(group.total)}
          </Badge>
          <NewInColumn {...props} label={label} />
        </Group>
      </Group>
      {sumOf === undefined || typeof group.sum !== 'number' ? null : (
        <Text size="xs" c="dimmed" title={format.money(group.sum, currency)}>
          {t('board.sum', {
            field: entity.labelOf(sumOf.replace(/Converted$/, '')),
            sum: format.money(group.sum, currency, 'compact'),
          })}
        </Text>
      )}
    </Stack>
  );
}

/** Opens the form for a new record with the status of the column. */
function NewInColumn({ entity, field, group, label }: Props & { readonly label: string }) {
  const t = useText();
  const rights = useRights(entity.name);
  if (!rights.may('create') || !rights.mayEditField(field)) return null;
  const text = t('board.new', { entity: entity.label, column: label });
  return (
    <ButtonLink
      variant="subtle"
      size="compact-sm"
      px={4}
      aria-label={text}
      title={text}
      to="/create/$entity"
      params={{ entity: entity.name }}
      search={() => ({ linked: { [field]: group.name } })}
    >
      <IconPlus size={16} aria-hidden="true" />
    </ButtonLink>
  );
}

function MovableCard(props: {
  readonly entity: Entity;
  readonly record: AnyRecord;
  readonly group: string;
  readonly cardFields: readonly string[];
  readonly isFixed: boolean;
}) {
  const t = useText();
  const { entity, record, group, cardFields, isFixed } = props;
  const rights = useRecordRights(entity, record);
  const disabled = isFixed || !rights.edit.isGranted;
  const {
    attributes,
    listeners,
    setNodeRef,
    setActivatorNodeRef,
    transform,
    transition,
    isDragging,
  } = useSortable({
    id: record.id,
    data: { group },
    disabled,
    attributes: { roleDescription: t('drag.role') },
  });
  const moved =
    transform === null ? undefined : `translate3d(${transform.x}px, ${transform.y}px, 0)`;
  return (
    <li
      ref={setNodeRef}
      className={styles['card']}
      data-dragging={isDragging || undefined}
      style={{ transform: moved, transition: transition ?? undefined }}
      {...(disabled ? {} : listeners)}
    >
      <RecordCard
        entity={entity}
        record={record}
        status={group}
        cardFields={cardFields}
        handle={
          disabled
            ? undefined
            : {
                ref: setActivatorNodeRef,
                ...attributes,
                'aria-label': t('board.move', { name: nameOfCard(record) }),
              }
        }
      />
    </li>
  );
}

function More({ entity, field, group, onMore }: Props) {
  const t = useText();
  const left = group.total - group.list.length;
  if (left <= 0) return null;
  if (group.list.length < largestGroup) {
    return (
      <Button variant="subtle" size="compact-sm" onClick={onMore}>
        {t('board.more', { count: left })}
      </Button>
    );
  }
  const where = [{ type: 'in', attribute: field, value: [group.name] }];
  return (
    <ButtonLink
      variant="subtle"
      size="compact-sm"
      to="/records/$entity"
      params={{ entity: entity.name }}
      search={{ where }}
    >
      {t('board.allInList')}
    </ButtonLink>
  );
}
