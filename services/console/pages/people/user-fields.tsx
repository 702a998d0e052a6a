import { Fieldset, PasswordInput } from '@mantine/core';
import type { ComponentProps } from 'react';
import type { Entity } from '../../api/metadata.ts';
import type { Values } from '../../fields/input-parts.ts';
import type { Panel } from '../../fields/panel-inputs.tsx';
import type { ValuesForm } from '../../fields/values-form.tsx';
import { usePageText } from '../../language/page-text.ts';

const people = ['firstName', 'middleName', 'lastName', 'title', 'emailAddress'];

/** Returns the panels of a user form. API users have keys, and no name other than the user name. */
export function useUserPanels(): (values: Values) => readonly Panel[] {
  const t = usePageText();
  return ({ type }) => [
    {
      label: t('people.account'),
      names: ['userName', 'type', ...(type === 'api' ? ['authMethod'] : people), 'isActive'],
    },
    { label: t('people.belonging'), names: ['roles', 'teams', 'defaultTeam'] },
  ];
}

/** The types that an administrator can choose. The API supports more types, for other clients. */
const offeredTypes: ReadonlySet<string> = new Set(['regular', 'admin', 'api']);

/** Returns the entity type User without the types that cannot be chosen, except for the current one. */
export function withOfferedTypes(entity: Entity, current: unknown): Entity {
  const { type } = entity.fields;
  if (entity.name !== 'User' || type?.options === undefined) return entity;
  const options = type.options.filter((option) => offeredTypes.has(option) || option === current);
  return { ...entity, fields: { ...entity.fields, type: { ...type, options } } };
}

export type FormExtra = Parameters<NonNullable<ComponentProps<typeof ValuesForm>['extra']>>[0];

/** The password input. The password is not a field because it is write-only. */
export function PasswordPart({
  values,
  problems,
  onChange,
  isNew,
}: FormExtra & { readonly isNew: boolean }) {
  const t = usePageText();
  if (values['type'] === 'api') return null;
  return (
    <Fieldset legend={t('people.password')}>
      <PasswordInput
        label={t('people.newPassword')}
        description={t(isNew ? 'people.passwordText' : 'people.keepPasswordText')}
        autoComplete="new-password"
        visibilityToggleButtonProps={{ 'aria-label': t('signIn.showPassword'), tabIndex: 0 }}
        value={String(values['password'] ?? '')}
        error={problems.get('password')}
        onChange={({ currentTarget: { value } }) =>
          onChange({ password: value === '' ? undefined : value })
        }
      />
    </Fieldset>
  );
}
