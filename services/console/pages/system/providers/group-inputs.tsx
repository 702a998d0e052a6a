import { Button, Checkbox, Fieldset, Group, MultiSelect, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { usePageText } from '../../../language/page-text.ts';
import { inputsOf } from '../../../parts/inputs-of.ts';
import { type ProviderDraft, rightHoldersQuery } from './providers.ts';

interface Props {
  readonly draft: ProviderDraft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onChange: (more: Partial<ProviderDraft>) => void;
}

type Mapping = ProviderDraft['groups'][number];

/** The claim with the groups of a user, and the teams and roles of each group. */
export function GroupInputs({ draft, problems, onChange }: Props) {
  const t = usePageText();
  const { flag } = inputsOf(draft, onChange);
  const { groupClaim, groups } = draft;
  const change = (index: number, more: Partial<Mapping>) =>
    onChange({ groups: groups.map((one, at) => (at === index ? { ...one, ...more } : one)) });
  return (
    <Fieldset legend={t('singleSignOn.groups')}>
      <Stack>
        <TextInput
          label={t('singleSignOn.groupClaim')}
          description={t('singleSignOn.groupClaimText')}
          value={groupClaim ?? ''}
          error={problems.get('groupClaim')}
          onChange={({ currentTarget }) => onChange({ groupClaim: currentTarget.value || null })}
        />
        {groups.map((mapping, index) => (
          <MappingInputs
            // biome-ignore lint/suspicious/noArrayIndexKey: mappings have no id, and all their state is in the draft
            key={index}
            mapping={mapping}
            error={problems.get(`groups[${index}].group`)}
            onChange={(more) => change(index, more)}
            onRemove={() => onChange({ groups: groups.filter((_, at) => at !== index) })}
          />
        ))}
        <Group>
          <Button
            variant="default"
            onClick={() =>
              onChange({ groups: [...groups, { group: '', teamsIds: [], rolesIds: [] }] })
            }
          >
            {t('singleSignOn.addGroup')}
          </Button>
        </Group>
        {groupClaim === null ? null : (
          <Checkbox label={t('singleSignOn.syncsGroups')} {...flag('syncsGroups')} />
        )}
      </Stack>
    </Fieldset>
  );
}

function MappingInputs({
  mapping,
  error,
  onChange,
  onRemove,
}: {
  readonly mapping: Mapping;
  readonly error: string | undefined;
  readonly onChange: (more: Partial<Mapping>) => void;
  readonly onRemove: () => void;
}) {
  const t = usePageText();
  const { data: teams = [] } = useQuery(rightHoldersQuery('Team'));
  const { data: roles = [] } = useQuery(rightHoldersQuery('Role'));
  return (
    <Fieldset legend={mapping.group || t('singleSignOn.group')}>
      <Stack gap="xs">
        <TextInput
          label={t('singleSignOn.group')}
          required
          value={mapping.group}
          error={error}
          onChange={({ currentTarget }) => onChange({ group: currentTarget.value })}
        />
        <MultiSelect
          label={t('singleSignOn.teams')}
          searchable
          data={[...teams]}
          value={[...(mapping.teamsIds ?? [])]}
          onChange={(teamsIds) => onChange({ teamsIds })}
        />
        <MultiSelect
          label={t('singleSignOn.roles')}
          searchable
          data={[...roles]}
          value={[...(mapping.rolesIds ?? [])]}
          onChange={(rolesIds) => onChange({ rolesIds })}
        />
        <Group justify="flex-end">
          <Button variant="default" size="compact-sm" onClick={onRemove}>
            {t('singleSignOn.removeGroup', { name: mapping.group })}
          </Button>
        </Group>
      </Stack>
    </Fieldset>
  );
}
