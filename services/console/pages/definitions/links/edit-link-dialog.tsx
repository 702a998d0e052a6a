import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { updateLink } from '../../../api/definitions.ts';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { DefinitionForm, FormDialog } from '../form-dialog.tsx';
import { useDefinitionChange } from '../use-definition-change.ts';

interface Props {
  readonly entity: Entity;
  readonly link: string | undefined;
  readonly onClose: () => void;
}

/** Edits the labels of both sides of a link. Nothing else can be changed after its creation. */
export function EditLinkDialog(props: Props) {
  const t = useText();
  const { entity, link, onClose } = props;
  const title = t('definitions.editField', {
    name: link === undefined ? '' : entity.labelOf(link),
  });
  return (
    <FormDialog isOpen={link !== undefined} title={title} onClose={onClose}>
      {link === undefined ? null : <Form {...props} link={link} />}
    </FormDialog>
  );
}

interface Labels {
  readonly label?: string;
  readonly labelForeign?: string;
}

function Form({ entity, link, onClose }: Props & { readonly link: string }) {
  const t = useText();
  const metadata = useMetadata();
  const { entity: target = '', foreign } = entity.links[link] ?? {};
  const [changed, setChanged] = useState<Labels>({});
  const change = (more: Labels) => setChanged((before) => ({ ...before, ...more }));
  const saving = useDefinitionChange(
    () => updateLink({ entity: entity.name, link, ...changed }),
    onClose,
  );
  return (
    <DefinitionForm
      saving={saving}
      isUnchanged={Object.keys(changed).length === 0}
      onCancel={onClose}
    >
      <TextInput
        label={t('definitions.settingLabel')}
        value={changed.label ?? entity.labelOf(link)}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
      />
      {foreign === undefined ? null : (
        <TextInput
          label={t('definitions.labelForeign')}
          value={changed.labelForeign ?? metadata.get(target)?.labelOf(foreign) ?? ''}
          onChange={({ currentTarget }) => change({ labelForeign: currentTarget.value })}
        />
      )}
    </DefinitionForm>
  );
}
