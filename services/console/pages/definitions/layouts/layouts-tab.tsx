import { Alert, Button, Group, SegmentedControl, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type LayoutName,
  type LayoutPanel,
  originalLayoutQuery,
  resetLayout,
  saveLayout,
} from '../../../api/layouts.ts';
import type { Entity } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { LoadError } from '../../../parts/page/load-error.tsx';
import { PageSkeleton } from '../../../parts/page/page-skeleton.tsx';
import { UnsavedGuard } from '../../../parts/unsaved-guard.tsx';
import { DefinitionForm, useDefinitionChange } from '../form-dialog.tsx';
import { PanelList } from './panel-list.tsx';

/** Arranges the fields of lists, record pages and forms. */
export function LayoutsTab({ entity }: { readonly entity: Entity }) {
  const t = usePageText();
  const [name, setName] = useState<LayoutName>('detail');
  return (
    <Stack maw={880}>
      <Group>
        <SegmentedControl
          aria-label={t('layouts.layout')}
          value={name}
          onChange={(value) => setName(value as LayoutName)}
          data={[
            { value: 'detail', label: t('layouts.detail') },
            { value: 'list', label: t('layouts.list') },
          ]}
        />
      </Group>
      <Hint>{t(name === 'detail' ? 'layouts.detailText' : 'layouts.listText')}</Hint>
      <LayoutEditor key={name} entity={entity} name={name} />
    </Stack>
  );
}

interface LayoutProps {
  readonly entity: Entity;
  readonly name: LayoutName;
}

function LayoutEditor(props: LayoutProps) {
  const { entity, name } = props;
  const stored = useQuery(originalLayoutQuery(entity.name, name));
  if (stored.data === undefined) {
    return stored.error === null ? <PageSkeleton /> : <LoadError error={stored.error} />;
  }
  return <LayoutForm {...props} stored={stored.data} />;
}

function LayoutForm(props: LayoutProps & { readonly stored: readonly LayoutPanel[] }) {
  const t = usePageText();
  const { entity, name, stored } = props;
  const [draft, setDraft] = useState<readonly LayoutPanel[]>();
  const panels = draft ?? stored;
  const isEmpty = panels.every(({ fields }) => fields.length === 0);
  const discard = () => setDraft(undefined);
  const saving = useDefinitionChange(() => saveLayout(entity.name, name, panels), discard);
  const resetting = useDefinitionChange(() => resetLayout(entity.name, name), discard);
  return (
    <>
      <UnsavedGuard isUnsaved={draft !== undefined} />
      <DefinitionForm
        saving={saving}
        isUnchanged={draft === undefined || isEmpty}
        {...(draft === undefined ? {} : { onCancel: discard })}
      >
        <PanelList entity={entity} name={name} panels={panels} onChange={setDraft} />
        {isEmpty ? <Alert color="yellow">{t('layouts.empty')}</Alert> : null}
      </DefinitionForm>
      <ErrorAlert error={resetting.error} />
      <Group>
        <Button variant="default" loading={resetting.isPending} onClick={() => resetting.mutate()}>
          {t('definitions.reset')}
        </Button>
      </Group>
    </>
  );
}
