import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconFilter } from '@tabler/icons-react';
import type { Entity } from '../../../api/metadata.ts';
import type { Condition } from '../../../api/records.ts';
import { useText } from '../../../language/language.tsx';
import { ConditionDialog } from './condition-dialog.tsx';

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
