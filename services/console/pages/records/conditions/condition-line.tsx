import { NativeSelect, NumberInput, SimpleGrid, TagsInput, TextInput } from '@mantine/core';
import type { Entity } from '../../../api/metadata.ts';
import { RecordSelect } from '../../../fields/link-inputs.tsx';
import { useText } from '../../../language/language.tsx';
import type { MessageKey } from '../../../messages/en.ts';
import type { DraftCondition } from './conditions.ts';
import { type Operand, operatorsOf } from './operators.ts';

interface Props {
  readonly entity: Entity;
  readonly condition: DraftCondition;
  readonly onChange: (condition: DraftCondition) => void;
}

/** The inputs of one condition: field or link, operator and value. */
export function ConditionLine({ entity, condition, onChange }: Props) {
  const t = useText();
  const { attribute, type } = condition;
  const operators = operatorsOf(entity, attribute);
  const operand = operators.find((one) => one.type === type)?.operand;
  const choose = (name: string): void => {
    const [first] = operatorsOf(entity, name);
    onChange({ ...condition, attribute: name, type: first?.type ?? '', value: undefined });
  };
  const known = operators.some((one) => one.type === type);
  const shown = known || type === '' ? operators.map((one) => one.type) : [type];
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="xs" verticalSpacing="xs">
      <NativeSelect
        aria-label={t('records.conditionOn')}
        value={attribute}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
        data={[{ value: '', label: t('records.chooseField') }, ...namesOf(entity, attribute)]}
      />
      <NativeSelect
        aria-label={t('records.operator')}
        disabled={attribute === ''}
        value={type}
        onChange={({ currentTarget }) =>
          onChange({ ...condition, type: currentTarget.value, value: undefined })
        }
        data={shown.map((one) => ({ value: one, label: t(operatorText(entity, attribute, one)) }))}
      />
      <OperandInput
        entity={entity}
        condition={condition}
        operand={operand}
        onChange={(value) => onChange({ ...condition, value })}
      />
    </SimpleGrid>
  );
}

/** A link to many "includes" a record, and a link to one "is" that record. */
function operatorText(entity: Entity, attribute: string, type: string): MessageKey {
  const linkType = entity.links[attribute]?.type;
  if (linkType === 'belongsTo' || linkType === 'hasOne') {
    if (type === 'linkedWith') return 'operators.equals';
    if (type === 'notLinkedWith') return 'operators.notEquals';
  }
  return `operators.${type}` as MessageKey;
}

function namesOf(entity: Entity, chosen: string) {
  const names = new Set([...Object.keys(entity.fields), ...Object.keys(entity.links)]);
  return [...names]
    .filter((name) => name === chosen || operatorsOf(entity, name).length > 0)
    .map((value) => ({ value, label: entity.labelOf(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function OperandInput(props: {
  readonly entity: Entity;
  readonly condition: DraftCondition;
  readonly operand: Operand | undefined;
  readonly onChange: (value: unknown) => void;
}) {
  const t = useText();
  const { entity, condition, operand, onChange } = props;
  const { attribute, value } = condition;
  const label = t('records.value');
  const texts = Array.isArray(value) ? value.map(String) : [];
  switch (operand) {
    case undefined:
    case 'none':
      return null;
    case 'number':
    case 'days':
      return (
        <NumberInput
          aria-label={label}
          value={typeof value === 'number' ? value : ''}
          onChange={(entered) => onChange(entered === '' ? undefined : entered)}
        />
      );
    case 'options':
      return (
        <TagsInput
          aria-label={label}
          data={[...(entity.fields[attribute]?.options ?? [])].filter((one) => one !== '')}
          value={texts}
          onChange={onChange}
        />
      );
    case 'record':
      return (
        <RecordSelect
          entity={entity.links[attribute]?.entity ?? ''}
          label={label}
          value={texts[0] ?? ''}
          shown={texts[0] ?? ''}
          onPick={(id) => onChange(id === null ? undefined : [id])}
        />
      );
    case 'dates':
      return <DatesInput label={label} values={texts} onChange={onChange} />;
    case 'date':
    case 'text':
      return (
        <TextInput
          aria-label={label}
          type={operand === 'date' ? 'date' : 'text'}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

function DatesInput(props: {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const [from = '', to = ''] = props.values;
  return (
    <SimpleGrid cols={2} spacing="xs">
      <TextInput
        aria-label={`${props.label} 1`}
        type="date"
        value={from}
        onChange={({ currentTarget }) => props.onChange([currentTarget.value, to])}
      />
      <TextInput
        aria-label={`${props.label} 2`}
        type="date"
        value={to}
        onChange={({ currentTarget }) => props.onChange([from, currentTarget.value])}
      />
    </SimpleGrid>
  );
}
