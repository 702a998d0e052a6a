import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { createEntity, type EntityValues } from '../../api/definitions.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { inputsOf } from '../../parts/inputs-of.ts';
import { DefinitionForm, FormDialog, useDefinitionChange } from './form-dialog.tsx';

interface Props {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

export function CreateTypeDialog(props: Props) {
  const t = usePageText();
  return (
    <FormDialog {...props} title={t('definitions.newType')}>
      <Form {...props} />
    </FormDialog>
  );
}

const templates = {
  Base: 'definitions.templateBase',
  BasePlus: 'definitions.templateBasePlus',
  Person: 'definitions.templatePerson',
  Company: 'definitions.templateCompany',
  Event: 'definitions.templateEvent',
} as const satisfies Readonly<Record<EntityValues['type'], string>>;

export function isTemplate(type: string): type is EntityValues['type'] {
  return Object.hasOwn(templates, type);
}

function Form({ onClose }: Props) {
  const t = usePageText();
  const navigate = useNavigate();
  const [values, setValues] = useState<EntityValues>({ name: '', type: 'Base' });
  const change = (more: Partial<EntityValues>) => setValues((before) => ({ ...before, ...more }));
  const { text, flag } = inputsOf(values, change);
  const creating = useDefinitionChange(
    () => createEntity(values),
    (_, entity) => void navigate({ to: '/definitions/$entity', params: { entity } }),
  );
  return (
    <DefinitionForm saving={creating} onCancel={onClose}>
      <TextInput
        label={t('definitions.name')}
        description={t('definitions.typeNameText')}
        required
        data-autofocus
        {...text('name')}
      />
      <NativeSelect
        label={t('definitions.template')}
        {...text('type')}
        data={Object.entries(templates).map(([value, text]) => ({ value, label: t(text) }))}
      />
      <Checkbox label={t('definitions.stream')} {...flag('stream')} />
      <Hint>{t('definitions.grantText')}</Hint>
    </DefinitionForm>
  );
}
