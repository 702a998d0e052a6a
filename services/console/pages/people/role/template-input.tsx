import { Fieldset, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useMetadata, useScopes } from '../../../api/metadata.ts';
import type { Values } from '../../../fields/input-parts.ts';
import { usePageText } from '../../../language/page-text.ts';
import { grantsOf, type Template, templates, workedWith } from './role-templates.ts';

const labels = {
  sales: 'people.templateSales',
  support: 'people.templateSupport',
  readOnly: 'people.templateReadOnly',
} as const;

/** Chooses the permissions that a new role starts with. */
export function TemplateInput({ onChange }: { readonly onChange: (values: Values) => void }) {
  const t = usePageText();
  const scopes = useScopes();
  const metadata = useMetadata();
  const [chosen, choose] = useState('');
  const pick = (value: string): void => {
    choose(value);
    onChange(valuesOf(templates.find((one) => one === value)));
  };
  const valuesOf = (template: Template | undefined): Values => {
    // Values of the template that was chosen before are removed as well.
    const none = Object.keys(grantsOf('sales', scopes).permissions).map((name) => [
      name,
      undefined,
    ]);
    const { data, permissions } =
      template === undefined ? { data: undefined, permissions: {} } : grantsOf(template, scopes);
    return { ...Object.fromEntries(none), ...permissions, data };
  };
  const textOf = (template: Template): string => {
    const types = workedWith[template].flatMap((name) => metadata.get(name)?.labelPlural ?? []);
    return t('people.templateText', { types: types.join(', ') });
  };
  return (
    <Fieldset legend={t('people.template')}>
      <Radio.Group aria-label={t('people.template')} value={chosen} onChange={pick}>
        <Stack gap="sm">
          <Radio value="" label={t('people.none')} />
          {templates.map((one) => (
            <Radio
              key={one}
              value={one}
              label={t(labels[one])}
              description={workedWith[one].length === 0 ? undefined : textOf(one)}
            />
          ))}
        </Stack>
      </Radio.Group>
    </Fieldset>
  );
}
