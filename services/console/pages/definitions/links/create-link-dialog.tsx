import { MultiSelect, NativeSelect, SimpleGrid, TextInput } from '@mantine/core';
import { useState } from 'react';
import {
  createLink,
  type LinkType,
  type LinkValues,
  updateLink,
} from '../../../api/definitions.ts';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { inputsOf } from '../../../parts/inputs-of.ts';
import { deriveName } from '../derive-name.ts';
import { DefinitionForm, FormDialog, useDefinitionChange } from '../form-dialog.tsx';

interface Props {
  readonly entity: Entity;
  readonly onClose: () => void;
}

export function CreateLinkDialog(props: Props & { readonly isOpen: boolean }) {
  const t = usePageText();
  return (
    <FormDialog {...props} title={t('definitions.newLink')}>
      <Form {...props} />
    </FormDialog>
  );
}

const linkTypes = {
  manyToOne: 'definitions.manyToOneText',
  oneToMany: 'definitions.oneToManyText',
  manyToMany: 'definitions.manyToManyText',
  childrenToParent: 'definitions.childrenToParentText',
} as const satisfies Readonly<Record<LinkType, string>>;

type EnteredLink = Partial<LinkValues> & Pick<LinkValues, 'linkType'>;

/** Derives the names of a link from its labels until they are entered. */
function withNames(entity: Entity, entered: EnteredLink): LinkValues {
  const { link, linkForeign, label, labelForeign } = entered;
  const reverse = linkForeign ?? deriveName(labelForeign ?? '');
  return {
    ...entered,
    entity: entity.name,
    link: link ?? deriveName(label ?? ''),
    ...(reverse === '' ? {} : { linkForeign: reverse }),
  };
}

function Form({ entity, onClose }: Props) {
  const t = usePageText();
  const [entered, setEntered] = useState<EnteredLink>({ linkType: 'manyToOne' });
  const values = withNames(entity, entered);
  const change = (more: Partial<LinkValues>) => setEntered((before) => ({ ...before, ...more }));
  const { text } = inputsOf(values, change);
  const creating = useDefinitionChange(() => createLink(values), onClose);
  return (
    <DefinitionForm saving={creating} onCancel={onClose}>
      <NativeSelect
        label={t('definitions.kind')}
        data-autofocus
        value={values.linkType}
        onChange={({ currentTarget }) =>
          setEntered(({ link, label }) => ({
            ...(link === undefined ? {} : { link }),
            ...(label === undefined ? {} : { label }),
            linkType: currentTarget.value as LinkType,
          }))
        }
        data={Object.entries(linkTypes).map(([value, text]) => ({
          value,
          label: t(text, { entity: entity.label }),
        }))}
      />
      <OtherSide values={values} onChange={change} />
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'end' }}>
        <TextInput label={t('definitions.settingLabel')} {...text('label')} />
        <TextInput label={t('definitions.labelForeign')} {...text('labelForeign')} />
        <TextInput
          label={t('definitions.linkName', { entity: entity.label })}
          description={t('definitions.linkNameText')}
          required
          {...text('link')}
        />
        <TextInput
          label={t('definitions.linkForeign')}
          description={t('definitions.linkForeignText')}
          required={values.linkType !== 'childrenToParent'}
          {...text('linkForeign')}
        />
      </SimpleGrid>
    </DefinitionForm>
  );
}

/** Selects the linked entity type, or the allowed types of a parent. */
function OtherSide(props: {
  readonly values: LinkValues;
  readonly onChange: (values: Partial<LinkValues>) => void;
}) {
  const t = usePageText();
  const { values, onChange } = props;
  const { text } = inputsOf(values, onChange);
  const types = useTypes(values.linkType);
  if (values.linkType !== 'childrenToParent') {
    return (
      <NativeSelect
        label={t('definitions.entityForeign')}
        required
        {...text('entityForeign')}
        data={[{ value: '', label: '' }, ...types]}
      />
    );
  }
  const parents = values.parentEntityTypeList ?? [];
  return (
    <>
      <MultiSelect
        label={t('definitions.parents')}
        searchable
        required
        value={parents}
        onChange={(parentEntityTypeList) => onChange({ parentEntityTypeList })}
        data={types}
      />
      <MultiSelect
        label={t('definitions.listing')}
        description={t('definitions.listingText')}
        value={values.foreignLinkEntityTypeList ?? []}
        onChange={(foreignLinkEntityTypeList) => onChange({ foreignLinkEntityTypeList })}
        data={types.filter(({ value }) => parents.includes(value))}
      />
    </>
  );
}

/** Returns the selectable entity types. Users and teams cannot hold the ids of a link or be parents. */
function useTypes(linkType: LinkType) {
  const allowsUsersAndTeams = linkType === 'manyToOne' || linkType === 'manyToMany';
  return [...useMetadata().values()]
    .filter(
      ({ scope }) => scope.object || (allowsUsersAndTeams && scope.aclActionList !== undefined),
    )
    .map(({ name, label }) => ({ value: name, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

interface EditProps {
  readonly entity: Entity;
  readonly link: string | undefined;
  readonly onClose: () => void;
}

/** Edits the labels of both sides of a link. Nothing else can be changed after its creation. */
export function EditLinkDialog(props: EditProps) {
  const t = usePageText();
  const { entity, link, onClose } = props;
  const title = t('definitions.editField', {
    name: link === undefined ? '' : entity.labelOf(link),
  });
  return (
    <FormDialog isOpen={link !== undefined} title={title} onClose={onClose}>
      {link === undefined ? null : <EditForm {...props} link={link} />}
    </FormDialog>
  );
}

interface Labels {
  readonly label?: string;
  readonly labelForeign?: string;
}

function EditForm({ entity, link, onClose }: EditProps & { readonly link: string }) {
  const t = usePageText();
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
