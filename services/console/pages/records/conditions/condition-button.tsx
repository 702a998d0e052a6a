import { Button, Group, Stack } from '@mantine/core';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { Condition } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { useTimeZone } from '../../../language/time-settings.ts';
import { DialogButton } from '../../../parts/dialog.tsx';
import { ConditionGroup } from './condition-group.tsx';
import { type DraftGroup, toConditions, toDraft } from './conditions.ts';
import { isTimeField } from './operators.ts';

interface Props {
  readonly entity: Entity;
  readonly where: readonly Condition[];
  readonly onChange: (where: readonly Condition[]) => void;
}

/** Edits a filter of nested conditions on fields and links. */
export function ConditionButton(props: Props) {
  const t = useText();
  const count = props.where.length;
  return (
    <DialogButton
      variant={count > 0 ? 'light' : 'default'}
      leftSection={<IconFilter size={16} aria-hidden="true" />}
      label={count > 0 ? t('records.conditionsCount', { count }) : t('records.conditions')}
      title={t('records.conditions')}
      tooltip={t('records.conditions')}
      dialogSize="xl"
    >
      {(close) => <Editor {...props} onClose={close} />}
    </DialogButton>
  );
}

function Editor(props: Props & { readonly onClose: () => void }) {
  const t = useText();
  const { entity, where, onChange, onClose } = props;
  const [draft, setDraft] = useState<DraftGroup>({
    kind: 'group',
    type: 'and',
    parts:
      where.length > 0
        ? where.map(toDraft)
        : [{ kind: 'condition', attribute: '', type: '', value: undefined }],
  });
  const timeZone = useTimeZone();
  const apply = (): void => {
    const drafts = draft.type === 'and' ? draft.parts : [draft];
    onChange(toConditions(drafts, (name) => (isTimeField(entity, name) ? timeZone : undefined)));
    onClose();
  };
  return (
    <Stack>
      <ConditionGroup entity={entity} group={draft} depth={1} onChange={setDraft} />
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            onChange([]);
            onClose();
          }}
        >
          {t('records.noConditions')}
        </Button>
        <Button onClick={apply}>{t('records.apply')}</Button>
      </Group>
    </Stack>
  );
}
