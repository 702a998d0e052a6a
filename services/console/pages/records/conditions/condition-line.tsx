import {
  Checkbox,
  NativeSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Stack,
  TagsInput,
  TextInput,
} from '@mantine/core';
import type { Entity } from '../../../api/metadata.ts';
import { RecordSelect } from '../../../fields/link-inputs.tsx';
import { useText } from '../../../language/language.tsx';
import { MomentInput } from '../../../parts/dates/moment-input.tsx';
import { groupNames } from './condition-names.ts';
import type { DraftCondition } from './conditions.ts';
import { currentUser } from './current-user.ts';
import { type Operand, operatorsOf, operatorText } from './operators.ts';

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
      <NamePicker entity={entity} name={attribute} onPick={choose} />
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

/** Searches among the fields and links of the entity type. */
function NamePicker(props: {
  readonly entity: Entity;
  readonly name: string;
  readonly onPick: (name: string) => void;
}) {
  const t = useText();
  const { entity, name, onPick } = props;
  const groups = groupNames(entity).map(({ group, names }) => ({
    group: typeof group === 'string' ? t(`records.names.${group}`) : entity.labelOf(group.address),
    items: names.map((value) => ({ value, label: entity.labelOf(value) })),
  }));
  const isKnown =
    name === '' || groups.some(({ items }) => items.some((one) => one.value === name));
  return (
    <Select
      aria-label={t('records.conditionOn')}
      placeholder={t('records.chooseField')}
      nothingFoundMessage={t('forms.nothingFound')}
      searchable
      value={name === '' ? null : name}
      // A condition of an address may be on an attribute that is not offered.
      data={isKnown ? groups : [{ value: name, label: entity.labelOf(name) }, ...groups]}
      onChange={(chosen) => chosen !== null && onPick(chosen)}
    />
  );
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
        <RecordInput
          entity={entity.links[attribute]?.entity ?? ''}
          id={texts[0] ?? ''}
          onChange={(id) => onChange(id === null ? undefined : [id])}
        />
      );
    case 'dates':
      return <DatesInput label={label} values={texts} onChange={onChange} />;
    case 'date':
      return (
        <MomentInput
          kind="day"
          aria-label={label}
          value={typeof value === 'string' ? value : ''}
          onChange={onChange}
        />
      );
    case 'text':
      return (
        <TextInput
          aria-label={label}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      );
  }
}

/** Selects a record, or the signed-in user. */
function RecordInput(props: {
  readonly entity: string;
  readonly id: string;
  readonly onChange: (id: string | null) => void;
}) {
  const t = useText();
  const { entity, id, onChange } = props;
  const isMe = id === currentUser;
  return (
    <Stack gap="xs">
      {isMe ? null : (
        <RecordSelect
          entity={entity}
          label={t('records.value')}
          value={id}
          shown={id}
          onPick={onChange}
        />
      )}
      {entity === 'User' ? (
        <Checkbox
          label={t('records.me')}
          checked={isMe}
          onChange={() => onChange(isMe ? null : currentUser)}
        />
      ) : null}
    </Stack>
  );
}

function DatesInput(props: {
  readonly label: string;
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
}) {
  const [from = '', to = ''] = props.values;
  return (
    <SimpleGrid cols={2} spacing="xs">
      <MomentInput
        kind="day"
        aria-label={`${props.label} 1`}
        value={from}
        onChange={(day) => props.onChange([day, to])}
      />
      <MomentInput
        kind="day"
        aria-label={`${props.label} 2`}
        value={to}
        onChange={(day) => props.onChange([from, day])}
      />
    </SimpleGrid>
  );
}
