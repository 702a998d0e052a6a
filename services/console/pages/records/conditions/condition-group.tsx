import { Button, CloseButton, Fieldset, Group, NativeSelect, Stack } from '@mantine/core';
import type { Entity } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { ConditionLine } from './condition-line.tsx';
import type { Draft, DraftGroup } from './conditions.ts';

interface Props {
  readonly entity: Entity;
  readonly group: DraftGroup;
  readonly depth: number;
  readonly onChange: (group: DraftGroup) => void;
}

const deepest = 9;
const emptyCondition = { kind: 'condition', attribute: '', type: '', value: undefined } as const;

/** A group of conditions of which all, or at least one, must match. */
export function ConditionGroup({ entity, group, depth, onChange }: Props) {
  const t = useText();
  const { parts } = group;
  const add = (part: Draft): void => onChange({ ...group, parts: [...parts, part] });
  const replace = (index: number, part: Draft): void =>
    onChange({ ...group, parts: parts.with(index, part) });
  const remove = (index: number): void => onChange({ ...group, parts: parts.toSpliced(index, 1) });
  return (
    <Fieldset legend={t('records.group')} p="sm">
      <Stack gap="xs">
        <NativeSelect
          aria-label={t('records.group')}
          value={group.type}
          onChange={({ currentTarget }) =>
            onChange({ ...group, type: currentTarget.value === 'or' ? 'or' : 'and' })
          }
          data={[
            { value: 'and', label: t('records.all') },
            { value: 'or', label: t('records.any') },
          ]}
          w="fit-content"
        />
        {parts.map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no identity other than their index
          <Group key={index} wrap="nowrap" align="flex-start" gap="xs">
            <div style={{ flex: 1, minWidth: 0 }}>
              {part.kind === 'group' ? (
                <ConditionGroup
                  entity={entity}
                  group={part}
                  depth={depth + 1}
                  onChange={(changed) => replace(index, changed)}
                />
              ) : (
                <ConditionLine
                  entity={entity}
                  condition={part}
                  onChange={(changed) => replace(index, changed)}
                />
              )}
            </div>
            <CloseButton aria-label={t('records.removeCondition')} onClick={() => remove(index)} />
          </Group>
        ))}
        <Group gap="xs">
          <Button size="xs" variant="default" onClick={() => add(emptyCondition)}>
            {t('records.addCondition')}
          </Button>
          {depth < deepest ? (
            <Button
              size="xs"
              variant="default"
              onClick={() => add({ kind: 'group', type: 'or', parts: [emptyCondition] })}
            >
              {t('records.addGroup')}
            </Button>
          ) : null}
        </Group>
      </Stack>
    </Fieldset>
  );
}
