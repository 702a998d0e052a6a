import { Button, Group } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Entity } from '../../../api/metadata.ts';
import { type Condition, namesQuery } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { currentUser } from './current-user.ts';
import { operatorsOf, operatorText } from './operators.ts';

interface Props {
  readonly entity: Entity;
  readonly where: readonly Condition[];
  readonly onChange: (where: readonly Condition[]) => void;
}

/** The active conditions of a list, each of which can be removed with one click. */
export function ConditionChips({ entity, where, onChange }: Props) {
  const t = useText();
  if (where.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('records.conditions')}>
      {where.map((condition, index) => (
        <Chip
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity other than their index
          key={index}
          entity={entity}
          condition={condition}
          onRemove={() => onChange(where.toSpliced(index, 1))}
        />
      ))}
    </Group>
  );
}

function Chip(props: {
  readonly entity: Entity;
  readonly condition: Condition;
  readonly onRemove: () => void;
}) {
  const t = useText();
  const text = useConditionText(props.entity, props.condition);
  return (
    <Button
      size="compact-sm"
      variant="light"
      maw="100%"
      rightSection={<IconX size={14} aria-hidden="true" />}
      aria-label={t('records.removeFilter', { filter: text })}
      onClick={props.onRemove}
    >
      {text}
    </Button>
  );
}

function useConditionText(entity: Entity, { type, attribute = '', value }: Condition): string {
  const t = useText();
  const operator = operatorsOf(entity, attribute).find((one) => one.type === type);
  const values = [value ?? []].flat().map(String);
  const isOnRecord = operator?.operand === 'record';
  const ids = isOnRecord ? values.filter((id) => id !== currentUser) : [];
  const { data: names } = useQuery(namesQuery(entity.links[attribute]?.entity ?? '', ids));
  if (type === 'and' || type === 'or') return t('records.conditionGroup', { count: values.length });
  const label = entity.labelOf(attribute);
  // The server may support operators that the console does not offer.
  if (operator === undefined) return `${label} ${type} ${values.join(', ')}`.trim();
  const relation = t(operatorText(entity, attribute, type));
  if (operator.operand === 'none') return `${label} ${relation}`;
  if (operator.operand === 'days') return `${label} ${relation.replace(/\bX\b/, values.join())}`;
  const shown = values.map((one) => {
    if (operator.operand === 'options') return entity.optionOf(attribute, one);
    if (!isOnRecord) return one;
    return one === currentUser ? t('records.me') : String(names?.get(one) ?? one);
  });
  return `${label} ${relation} ${shown.join(', ')}`;
}
