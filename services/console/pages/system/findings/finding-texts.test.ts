import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../api/system.ts';
import german from './finding-texts.de.json' with { type: 'json' };
import english from './finding-texts.en.json' with { type: 'json' };
import { textsOf } from './finding-texts.ts';

const finding: Finding = {
  about: 'webhooks',
  verdict: 'warning',
  code: 'webhooks.deadLetters',
  parameters: { count: 2, batches: 1200 },
  says: '2 have dead letters',
  remedy: 'fix the receiver',
};

describe('the texts of findings', () => {
  it('have the values of the finding in German', () => {
    expect(textsOf(finding, german, 'de')).toEqual({
      says: '2 Webhooks haben endgültig fehlgeschlagene Batches (1.200).',
      remedy: expect.stringContaining('erneut senden'),
      language: { says: 'de', remedy: 'de' },
    });
  });

  it.each([
    ['English', english],
    ['German', german],
  ])('are full sentences in %s', (_language, texts) => {
    const titles = Object.entries(texts).filter(([key]) => !key.endsWith('.remedy'));
    const forms = titles.flatMap(([, text]) => text.split(' | '));
    expect(forms.filter((text) => !/^(?:[A-Z]|[{]).*(?:[.]|[}])$/.test(text))).toEqual([]);
  });

  it('are those of the server in English, and for codes without a translation', () => {
    const own = { says: finding.says, remedy: finding.remedy };
    expect(textsOf(finding, {}, 'en')).toMatchObject(own);
    expect(textsOf({ ...finding, code: 'webhooks.later' }, german, 'de')).toMatchObject({
      ...own,
      language: { says: 'en', remedy: 'en' },
    });
  });
});
