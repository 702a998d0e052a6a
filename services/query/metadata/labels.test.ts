import { describe, expect, it } from 'vitest';
import {
  createDirectory,
  entityDefinitionType,
} from '../../../shared/domain/directory/directory.ts';
import { type LabelLanguage, labelLanguages } from '../../../shared/domain/entity/labels/labels.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../../../shared/domain/value/attribute-values.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { labels } from './labels.ts';

interface TypeLabels {
  readonly fields: Readonly<Record<string, string>>;
  readonly links: Readonly<Record<string, string>>;
  readonly options: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

function labelsIn(language: LabelLanguage, definitions: Readonly<Record<string, object>> = {}) {
  const directory = createDirectory(stockDefinitions);
  for (const [recordId, values] of Object.entries(definitions)) {
    directory.apply(aCreation(entityDefinitionType, values as AttributeValues, { recordId }));
  }
  const models = directory.entities().filter(({ definition }) => definition.isInternal !== true);
  const { Global, ...types } = labels(models, directory.entity, language);
  return {
    global: Global as Readonly<Record<string, Readonly<Record<string, string>>>>,
    types: types as Readonly<Record<string, TypeLabels>>,
  };
}

const { types: english, global: englishGlobal } = labelsIn('en');
const { types: german, global: germanGlobal } = labelsIn('de');
const names = Object.keys(english);

describe.each(names)('the labels of %s', (type) => {
  it('are complete in German', () => {
    const { names: all, namesByType, types } = labelLanguages.de;
    expect(types[type]).toHaveLength(2);
    const known = { ...all, ...namesByType[type] };
    const { fields, links } = english[type] ?? { fields: {}, links: {} };
    const missing = Object.keys({ ...fields, ...links }).filter((name) => !(name in known));
    expect(missing).toEqual([]);
  });

  it('have a distinct German label for each option', () => {
    const { options, optionsByField, names: all } = labelLanguages.de;
    const missing = Object.entries(german[type]?.options ?? {}).flatMap(([field, texts]) =>
      Object.keys(texts)
        .filter((option) => option !== '')
        .filter(
          (option) => !(option in { ...all, ...options, ...optionsByField[`${type}.${field}`] }),
        )
        .map((option) => `${field}: ${option}`),
    );
    expect(missing).toEqual([]);
  });

  it('contain no technical terms in English', () => {
    const { fields, links, options } = english[type] ?? { fields: {}, links: {}, options: {} };
    const texts = [fields, links, ...Object.values(options)].flatMap((one) => Object.values(one));
    const technical =
      /^(?:Is|Has) |\b(?:ids?|[Uu]rl|[Aa]pi|[Hh]tml|[Ss]ic|[Uu]id|json|[Pp]arams|count|percentage|children|primary)\b|[a-z][A-Z]|_|^[a-z]|^\d+$/;
    expect(texts.filter((text) => technical.test(text))).toEqual([]);
  });
});

it.each([
  ['Task', 'dateEnd', 'Due date', 'Fällig am'],
  ['Meeting', 'dateEnd', 'End', 'Ende'],
  ['Meeting', 'parent', 'Related to', 'Bezieht sich auf'],
  ['Contact', 'salutationName', 'Salutation', 'Anrede'],
  ['Contact', 'createdAt', 'Created at', 'Angelegt am'],
  ['Account', 'callsPrimary', 'Calls (main account)', 'Anrufe (Hauptfirma)'],
])('%s.%s is labelled %s, and %s in German', (type, name, inEnglish, inGerman) => {
  const labelOf = ({ fields, links }: TypeLabels) => fields[name] ?? links[name];
  expect([english, german].map((all) => labelOf(all[type] as TypeLabels))).toEqual([
    inEnglish,
    inGerman,
  ]);
});

it('names types, options and panels in the requested language', () => {
  expect(englishGlobal['scopeNamesPlural']).toMatchObject({ Opportunity: 'Opportunities' });
  expect(germanGlobal['scopeNamesPlural']).toMatchObject({ Opportunity: 'Verkaufschancen' });
  expect(germanGlobal['scopeNames']).toMatchObject({ Account: 'Firma', Activities: 'Aktivitäten' });
  expect(german['Lead']?.options['status']).toMatchObject({ New: 'Neu' });
  expect(english['Meeting']?.options['duration']).toMatchObject({ '3600': '1 h' });
  expect(germanGlobal['labels']).toEqual({ Overview: 'Überblick', Record: 'Datensatz' });
});

it("keeps administrators' labels and the words of custom names in every language", () => {
  const custom = { isCustom: true, type: 'enum', options: ['New', 'no'] };
  const definitions = {
    Account: {
      fields: {
        website: { label: 'Homepage' },
        cState: custom,
        cTitle: { ...custom, label: 'Rank' },
      },
    },
    Project: { template: 'Base', label: 'Undertaking', fields: { status: custom } },
  };
  for (const language of ['en', 'de'] as const) {
    const { types, global } = labelsIn(language, definitions);
    expect(global['scopeNames']).toMatchObject({ Project: 'Undertaking' });
    expect(global['scopeNamesPlural']).toMatchObject({ Project: 'Undertakings' });
    expect(types['Account']).toMatchObject({
      fields: { website: 'Homepage', cState: 'C state', cTitle: 'Rank' },
      options: { cState: { New: 'New', no: 'no' } },
    });
    expect(types['Project']?.fields['status']).toBe('Status');
  }
});
