import { NativeSelect, Stack } from '@mantine/core';
import { type Scope, useScopes, useTypeLabel } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { SearchInput } from '../../../parts/list/search-input.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { type Action, actions, useActionText, useLevelText } from '../level-badge.tsx';
import { type RoleDraft, withLevel, withScope } from './role-draft.ts';

interface Props {
  readonly draft: RoleDraft;
  readonly onChange: (draft: RoleDraft) => void;
}

interface Row {
  readonly name: string;
  readonly label: string;
  readonly scope: Scope;
}

/** All scopes with the level of each action. */
export function ScopeMatrix(
  props: Props & { readonly search: string; readonly onSearch: (text: string) => void },
) {
  const t = useText();
  const actionText = useActionText();
  const all = useRows();
  const search = props.search.trim().toLowerCase();
  const rows = all.filter(({ label }) => label.toLowerCase().includes(search));
  const columns: readonly Column<Row>[] = [
    { label: t('people.scope'), show: ({ label }) => label },
    { label: t('people.granted'), show: (row) => <GrantedSelect {...props} row={row} /> },
    ...actions.map((action) => ({
      label: actionText(action),
      show: (row: Row) => <LevelSelect {...props} row={row} action={action} />,
    })),
  ];
  return (
    <Stack gap="xs">
      <SearchInput
        label={t('people.searchScopes')}
        value={props.search}
        onChange={props.onSearch}
      />
      <DataTable
        empty={<Empty title={t('records.noMatch')} text={t('people.noMatchText')} />}
        label={t('people.records')}
        columns={columns}
        rows={rows}
        keyOf={({ name }) => name}
        minWidth={900}
      />
    </Stack>
  );
}

function useRows(): readonly Row[] {
  const labelOf = useTypeLabel();
  return Object.entries(useScopes())
    .filter(([, { acl, aclActionList }]) => acl === 'boolean' || (acl && aclActionList))
    .map(([name, scope]) => ({ name, label: labelOf(name), scope }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** Selects the access to a scope: not set, custom or none. */
function GrantedSelect({ draft, onChange, row }: Props & { readonly row: Row }) {
  const t = useText();
  const { name, label, scope } = row;
  const granted = draft.data[name];
  const value = granted === undefined ? '' : granted === false ? 'no' : 'yes';
  // Starts with every action denied, so nothing is granted without a choice.
  const everyAction = Object.fromEntries((scope.aclActionList ?? []).map((one) => [one, 'no']));
  const choose = (chosen: string) => {
    const whole = scope.acl === 'boolean' ? true : everyAction;
    onChange(withScope(draft, name, chosen === '' ? undefined : chosen === 'yes' && whole));
  };
  return (
    <NativeSelect
      size="xs"
      aria-label={`${label}: ${t('people.granted')}`}
      value={value}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
      data={[
        { value: '', label: t('people.notSet') },
        { value: 'yes', label: t(scope.acl === 'boolean' ? 'people.levelYes' : 'people.custom') },
        { value: 'no', label: t(scope.acl === 'boolean' ? 'people.levelNo' : 'people.none') },
      ]}
    />
  );
}

function LevelSelect(props: Props & { readonly row: Row; readonly action: Action }) {
  const t = useText();
  const levelText = useLevelText();
  const actionText = useActionText();
  const { draft, onChange, row, action } = props;
  const { name, label, scope } = row;
  const granted = draft.data[name];
  if (scope.aclActionList?.includes(action) !== true || typeof granted !== 'object') return null;
  const value = granted[action] ?? '';
  const levels = new Set([...levelsOf(scope, action), ...(value === '' ? [] : [value])]);
  return (
    <NativeSelect
      size="xs"
      aria-label={`${label}: ${actionText(action)}`}
      value={value}
      onChange={({ currentTarget }) =>
        onChange(withLevel(draft, { scope: name, action }, currentTarget.value))
      }
      data={[
        { value: '', label: t('people.notSet') },
        ...[...levels].map((level) => ({ value: level, label: levelText(level) })),
      ]}
    />
  );
}

/** Returns the levels of an action. Creation has no levels because a new record has no owner. */
function levelsOf(scope: Scope, action: Action): readonly string[] {
  if (action === 'create') return ['yes', 'no'];
  return scope.aclActionLevelListMap?.[action] ?? scope.aclLevelList ?? [];
}
