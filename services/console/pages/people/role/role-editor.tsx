import {
  Button,
  Group,
  NativeSelect,
  Paper,
  SimpleGrid,
  Stack,
  Text,
  TextInput,
  Title,
} from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';
import { useMetadata } from '../../../api/metadata.ts';
import type { ReadRecord } from '../../../api/records.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { UnsavedGuard } from '../../../parts/unsaved-guard.tsx';
import { useLevelText } from '../level-badge.tsx';
import type { TabState } from '../person-tabs.tsx';
import { FieldMatrix } from './field-matrix.tsx';
import { ReviewDialog } from './review-dialog.tsx';
import { differencesOf, type RoleDraft, toDraft, unset } from './role-draft.ts';
import styles from './role-editor.module.css';
import { ScopeMatrix } from './scope-matrix.tsx';

interface Props {
  readonly found: ReadRecord;
  readonly state: Partial<TabState>;
  readonly onState: (change: Partial<TabState>, options?: { readonly replace?: boolean }) => void;
}

/** Edits a role as a draft. All changes are reviewed and then saved together. */
export function RoleEditor({ found, state, onState }: Props) {
  const t = usePageText();
  // Keeps the version on which the draft is based, so that the server detects a conflicting change.
  const [changed, setChanged] = useState<{
    readonly from: ReadRecord;
    readonly draft: RoleDraft;
  }>();
  const [isReviewing, reviewing] = useDisclosure();
  const base = changed?.from ?? found;
  const before = toDraft(base.record);
  const draft = changed?.draft ?? before;
  const differences = differencesOf(before, draft);
  const change = (next: RoleDraft) => setChanged({ from: base, draft: next });
  return (
    <Stack>
      <UnsavedGuard isUnsaved={differences.length > 0} />
      <TextInput
        label={t('people.name')}
        maw={480}
        required
        value={draft.name}
        onChange={({ currentTarget }) => change({ ...draft, name: currentTarget.value })}
      />
      <Section title={t('people.records')} text={t('people.matrixText')}>
        <ScopeMatrix
          draft={draft}
          search={state.q ?? ''}
          onSearch={(q) => onState({ q: q === '' ? undefined : q }, { replace: true })}
          onChange={change}
        />
      </Section>
      <Section title={t('people.fields')} text={t('people.fieldsText')}>
        <FieldMatrix
          draft={draft}
          entity={state.entity}
          onEntity={(entity) => onState({ entity })}
          onChange={change}
        />
      </Section>
      <Section title={t('people.permissions')} text={t('people.permissionsText')}>
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>
          <PermissionInputs draft={draft} onChange={change} />
        </SimpleGrid>
      </Section>
      <Paper withBorder p="sm" className={differences.length === 0 ? '' : (styles['footer'] ?? '')}>
        <Group>
          <Button disabled={differences.length === 0} onClick={reviewing.open}>
            {t('people.review')}
          </Button>
          <Button
            variant="default"
            disabled={differences.length === 0}
            onClick={() => setChanged(undefined)}
          >
            {t('people.discard')}
          </Button>
          <Text size="sm" role="status">
            {t('people.changes', { count: differences.length })}
          </Text>
        </Group>
      </Paper>
      <ReviewDialog
        found={base}
        draft={draft}
        differences={differences}
        isOpen={isReviewing}
        onClose={reviewing.close}
        onSaved={() => setChanged(undefined)}
      />
    </Stack>
  );
}

function Section(props: {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
}) {
  return (
    <Stack gap="xs" component="section">
      <Title>{props.title}</Title>
      <Hint>{props.text}</Hint>
      {props.children}
    </Stack>
  );
}

/** Inputs for permissions that do not belong to an entity type. */
function PermissionInputs(props: {
  readonly draft: RoleDraft;
  readonly onChange: (draft: RoleDraft) => void;
}) {
  const t = usePageText();
  const levelText = useLevelText();
  const { draft, onChange } = props;
  const role = useMetadata().get('Role');
  return Object.entries(role?.fields ?? {})
    .filter(([name]) => name.endsWith('Permission'))
    .map(([name, { options = [] }]) => (
      <NativeSelect
        key={name}
        label={role?.labelOf(name)}
        value={draft.permissions[name] ?? unset}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, permissions: { ...draft.permissions, [name]: value } })
        }
        data={options.map((value) => ({
          value,
          label: value === unset ? t('people.notSet') : levelText(value),
        }))}
      />
    ));
}
