import { Button, Group, Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import { useState } from 'react';
import type { Entity } from '../../../api/metadata.ts';
import type { Condition } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { ConditionGroup } from './condition-group.tsx';
import { type DraftGroup, toConditions, toDraft } from './conditions.ts';
import { isTimeField } from './operators.ts';

export function ConditionButton(props: {
  readonly entity: Entity;
  readonly where: readonly Condition[];
  readonly onChange: (where: readonly Condition[]) => void;
}) {
  const t = useText();
  const [isOpen, dialog] = useDisclosure();
  const count = props.where.length;
  return (
    <>
      <Button
        variant={count > 0 ? 'light' : 'default'}
        leftSection={<IconFilter size={16} aria-hidden="true" />}
        onClick={dialog.open}
      >
        {count > 0 ? t('records.conditionsCount', { count }) : t('records.conditions')}
      </Button>
      <ConditionDialog
        entity={props.entity}
        where={props.where}
        isOpen={isOpen}
        onClose={dialog.close}
        onApply={props.onChange}
      />
    </>
  );
}

interface Props {
  readonly entity: Entity;
  readonly where: readonly Condition[];
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onApply: (where: readonly Condition[]) => void;
}

/** Edits a filter of nested conditions on fields and links. */
function ConditionDialog(props: Props) {
  const t = useText();
  return (
    <Modal opened={props.isOpen} onClose={props.onClose} size="xl" title={t('records.conditions')}>
      <Editor {...props} />
    </Modal>
  );
}

function Editor({ entity, where, onApply, onClose }: Props) {
  const t = useText();
  const [draft, setDraft] = useState<DraftGroup>({
    kind: 'group',
    type: 'and',
    parts:
      where.length > 0
        ? where.map(toDraft)
        : [{ kind: 'condition', attribute: '', type: '', value: undefined }],
  });
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const apply = (): void => {
    const drafts = draft.type === 'and' ? draft.parts : [draft];
    onApply(toConditions(drafts, (name) => (isTimeField(entity, name) ? timeZone : undefined)));
    onClose();
  };
  return (
    <Stack>
      <ConditionGroup entity={entity} group={draft} depth={1} onChange={setDraft} />
      <Group justify="flex-end">
        <Button
          variant="default"
          onClick={() => {
            onApply([]);
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
