import { NativeSelect, Stack } from '@mantine/core';
import { type Scope, useScopes, useTypeLabel } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { SearchInput } from '../../../parts/list/search-input.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { type Action, actions, useActionText, useLevelText } from '../level-badge.tsx';
import { type RoleDraft, withLevel, withScope } from './role-draft.ts';
import { levelsOf, presetLevels, presetOf, presets, presetsFor } from './scope-levels.ts';

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
  const t = usePageText();
  const actionText = useActionText();
  const all = useRows(props.draft);
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
        minWidth={1000}
      />
    </Stack>
  );
}

/**
 * Scopes that only other servers use. They are shown only for roles that contain them, which other clients may have
 * created.
 */
const unused: ReadonlySet<string> = new Set([
  'EmailAccountScope',
  'ExternalAccount',
  'WorkingTimeCalendar',
]);

function useRows(draft: RoleDraft): readonly Row[] {
  const labelOf = useTypeLabel();
  return Object.entries(useScopes())
    .filter(([name]) => !unused.has(name) || draft.data[name] !== undefined)
    .filter(([, { acl, aclActionList }]) => acl === 'boolean' || (acl && aclActionList))
    .map(([name, scope]) => ({ name, label: labelOf(name), scope }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** Selects the access to a scope: none, one level for every action, or custom levels. */
function GrantedSelect({ draft, onChange, row }: Props & { readonly row: Row }) {
  const t = usePageText();
  const levelText = useLevelText();
  const { name, label, scope } = row;
  const granted = draft.data[name];
  const offered = scope.acl === 'boolean' ? [] : presetsFor(scope);
  return (
    <NativeSelect
      size="xs"
      aria-label={`${label}: ${t('people.granted')}`}
      value={choiceOf(granted, scope)}
      onChange={({ currentTarget: { value } }) =>
        onChange(withScope(draft, name, grantFor(value, scope)))
      }
      data={[
        { value: '', label: t('people.notSet') },
        { value: 'no', label: t(scope.acl === 'boolean' ? 'people.levelNo' : 'people.none') },
        ...offered.map((preset) => ({ value: preset, label: levelText(preset) })),
        { value: 'yes', label: t(scope.acl === 'boolean' ? 'people.levelYes' : 'people.custom') },
      ]}
    />
  );
}

/** Returns the option for a role's access to a scope: a preset, or `yes` for any other combination of levels. */
function choiceOf(granted: RoleDraft['data'][string] | undefined, scope: Scope): string {
  if (granted === undefined) return '';
  if (typeof granted === 'boolean') return granted ? 'yes' : 'no';
  return presetOf(scope, granted) ?? 'yes';
}

function grantFor(choice: string, scope: Scope): RoleDraft['data'][string] | undefined {
  if (choice === '') return undefined;
  if (choice === 'no') return false;
  const preset = presets.find((one) => one === choice);
  if (preset !== undefined) return presetLevels(scope, preset);
  // Starts with every action denied, so that nothing is granted unless the administrator chooses it.
  const denied = (scope.aclActionList ?? []).map((action) => [action, 'no']);
  return scope.acl === 'boolean' ? true : Object.fromEntries(denied);
}

function LevelSelect(props: Props & { readonly row: Row; readonly action: Action }) {
  const t = usePageText();
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
