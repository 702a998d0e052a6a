import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';

/** Names for people, made out of the names of the definitions (api-facts 7.2). */
export function labels(all: readonly EntityModel[]): Readonly<Record<string, unknown>> {
  const models = all.filter(({ definition }) => definition.isInternal !== true);
  const scopeNames = Object.fromEntries(models.map(({ name }) => [name, toWords(name)]));
  const scopeNamesPlural = Object.fromEntries(
    models.map(({ name }) => [name, toPlural(toWords(name))]),
  );
  return {
    Global: { scopeNames, scopeNamesPlural, labels: {}, fields: {}, options: {} },
    ...Object.fromEntries(models.map((model) => [model.name, labelsOf(model)])),
  };
}

function labelsOf({ fields, definition }: EntityModel) {
  const options = [...fields].flatMap(([name, field]) =>
    field.options === undefined
      ? []
      : [[name, Object.fromEntries(field.options.map((option) => [option, option]))]],
  );
  const links = [
    ...[...fields].filter(([, { type }]) => type === 'link' || type === 'linkMultiple'),
    ...Object.entries(definition.links ?? {}),
  ];
  return {
    fields: Object.fromEntries(
      [...fields]
        .filter(([, { type }]) => type !== 'secret')
        .map(([name, { label }]) => [name, label ?? toWords(name)]),
    ),
    links: Object.fromEntries(links.map(([name, { label }]) => [name, label ?? toWords(name)])),
    options: Object.fromEntries(options),
    labels: {},
  };
}

/** `billingAddress` → `Billing Address`. */
function toWords(name: string): string {
  const words = name.replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toPlural(words: string): string {
  if (/[^aeiou]y$/.test(words)) return `${words.slice(0, -1)}ies`;
  return /(?:s|x|ch)$/.test(words) ? `${words}es` : `${words}s`;
}
